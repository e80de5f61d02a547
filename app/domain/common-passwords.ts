// The best-known passwords of eight characters and more (shorter ones are refused anyway), in lower case (V-06).
const WORDS = `
password password1 password12 password123 password1234 password12345 password! password1! password123! password2
password3 password01 passw0rd passw0rd1 p@ssw0rd p@ssword p@ssw0rd1 p@ssw0rd123 pa55word pa55w0rd pass1234 pass12345
pass@123 pass@1234 passpass passwort passwort1 motdepasse contraseña contrasena senha123 haslo123 wachtwoord
12345678 123456789 1234567890 12345678910 0123456789 0987654321 9876543210 987654321 87654321 01234567 123456780
1234567891 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qaz!qaz
zaq12wsx zaq1zaq1 zaq1xsw2 zaq!2wsx qazwsxedc qazwsx123 qazwsxedcrfv qweasdzxc qweasd123 qwe123qwe qweqweqwe
qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty1! qwertyui qwertyuiop qwertyuiop123 qwerty00 qwertz123
qwertzuiop azertyuiop azerty123 asdfghjk asdfghjkl asdfasdf asdf1234 asdfqwer asdasdasd asd123asd zxcvbnm1 zxcvbnm123
zxcvbnm, zxcvbnmasdf poiuytrewq lkjhgfdsa mnbvcxz1 1234qwer qwer1234 qwer12345 12341234 12344321 12312312 123123123
123123123a 123321123 1233211234567 123454321 123456qwerty 123456a1 1234567a 12345678a 123456789a a12345678 a123456789
a1234567 a1b2c3d4 a1b2c3d4e5 abc12345 abc123456 abc123abc abcd1234 abcd12345 abcdefgh abcdefg1 abcdefghi abcdefghij
aa123456 aa12345678 aaa12345 aaaaaaa1 q1234567 w1234567 z1234567 1a2b3c4d 123abc123 123qwe123 123qweasd 123qweasdzxc
147258369 159357159 159753159 741852963 789456123 963852741 321654987 102030405060 10203040 11223344 1122334455
112233445566 11112222 111222333 55556666 66778899 77889900 13131313 12121212 21212121 23232323 31415926 314159265
19841984 19871987 19901990 20002000 20202020 20212021 20222022 20232023 20242024 20252025 20262026 01010101 10101010
iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveu123 ilovegod iloveme1 iloveyou1234 loveyou1
loveyou123 lovelove love1234 lovers123 mylove123 sunshine sunshine1 sunshine12 sunshine123 princess princess1
princess12 princess123 football football1 football12 football123 baseball baseball1 baseball12 basketball basketball1
superman superman1 superman123 batman123 spiderman spiderman1 starwars starwars1 pokemon1 pokemon12 pokemon123
liverpool liverpool1 chelsea1 arsenal1 barcelona barcelona1 realmadrid juventus manchester manunited michael1 michael123
michelle michelle1 jennifer jennifer1 jessica1 jonathan nicholas samantha samantha1 elizabeth elizabeth1 alexander
alexander1 alexandra charlie1 charlie123 ashley12 daniel12 daniel123 andrew12 anthony1 patricia veronica victoria
victoria1 benjamin benjamin1 christian christine christina stephanie isabella valentina gabriela gabriel1 fernando
computer computer1 internet internet1 whatever whatever1 trustno1 letmein1 letmein12 letmein123 letmein! welcome1
welcome12 welcome123 welcome1! welcome@123 changeme changeme1 changeme123 admin123 admin1234 admin12345 admin123456
admin@123 admin@1234 administrator administrador root1234 rootroot toor1234 test1234 test12345 testtest testing1
testing123 testpass guest123 guest1234 user1234 userpass temp1234 default1 secret12 secret123 secret1234 supersecret
master12 master123 mastermind monkey12 monkey123 dragon12 dragon123 dragonball shadow12 shadow123 blink182 metallica
metallica1 slipknot nirvana1 greenday greenday1 linkinpark eminem123 corvette mercedes mustang1 ferrari1 porsche1 yamaha123
hellohello hello123 hello1234 hello12345 hellokitty helloworld hola1234 mickey12 minecraft minecraft1 fortnite fortnite1
playstation nintendo xbox3600 samsung1 samsung123 google123 facebook facebook1 youtube1 linkedin twitter1 instagram
myspace1 microsoft windows1 windows10 cocacola chocolate chocolate1 cheese123 butterfly butterfly1 blueberry strawberry
sweetheart beautiful beautiful1 blessed1 jesus123 jesuschrist godisgood godislove godbless faithful trinity1 heaven12
freedom1 freedom123 forever1 forever21 friends1 friendship december november september october1 monday12 friday13
january1 february summer12 summer123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 winter123
winter2023 winter2024 winter2025 spring2024 spring2025 autumn2024 autumn2025 yankees1 lakers24 cowboys1 steelers
steelers1 redskins dolphins packers1 eagles12 bulldogs wildcats tigers12 panthers scorpion scorpio1 sagittarius
aquarius capricorn einstein marlboro marlboro1 startrek startrek1 creative explorer midnight midnight1 diamond1
precious precious1 spongebob spongebob1 garfield snoopy12 tinkerbell cinderella pa$$word pa$$w0rd correcthorse
correcthorsebatterystaple opensesame nothing1 whocares iforgot1 idontknow idunno12 nopassword mypassword mypassword1
yourpassword newpassword newpass1 newpass123 thepassword password11 password21 password99 password69 password00
password2024 password2025 password2026 qwerty2024 qwerty2025 admin2024 admin2025 welcome2024 welcome2025 bothy123
`;

const COMMON = new Set(WORDS.trim().split(/\s+/));

/** One character again and again, or a run such as `abcdefgh` and `98765432`. */
function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let i = 1; i < text.length; i++) steps.add(text.charCodeAt(i) - text.charCodeAt(i - 1));
  const [step] = steps;
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1;
}

export const isCommonPassword = (password: string): boolean => {
  const text = password.toLowerCase();
  return COMMON.has(text) || isRun(text);
};
