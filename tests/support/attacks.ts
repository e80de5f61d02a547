// Attack texts in Markdown and HTML, and the detection of executable HTML. Every attack that succeeds calls `boom()`.

const TAGS = [
  "<script>boom()</script>",
  '<script src="https://evil.example/x.js"></script>',
  "<scr<script>ipt>boom()</scr</script>ipt>",
  "<SCRIPT\n>boom()</SCRIPT\n>",
  "<script/x>boom()</script>",
  '"><script>boom()</script>',
  "</textarea><script>boom()</script>",
  "</title><script>boom()</script>",
  "--><script>boom()</script>",
  "]]><script>boom()</script>",
  "<img src=x onerror=boom()>",
  "<img src=x onerror='boom()'",
  '<img src="x" onerror="boom()" x=',
  "<img/src=x/onerror=boom()>",
  '<img src=x oneonerrorrror="boom()">',
  "<IMG SRC=x OnErRoR=boom()>",
  "<img src=`x` onerror=boom()>",
  '<img src="javascript:boom()">',
  '<img srcset="x" onerror="boom()">',
  "<svg onload=boom()>",
  "<svg><script>boom()</script></svg>",
  '<svg><a xlink:href="javascript:boom()"><text>x</text></a></svg>',
  "<svg><animate onbegin=boom() attributeName=x dur=1s>",
  '<svg><use href="data:image/svg+xml,<svg id=x onload=boom()>#x"></svg>',
  "<math><mtext></p><style><img src=x onerror=boom()></style></mtext></math>",
  "<math><mi//xlink:href='data:x,<script>boom()</script>'>",
  '<iframe src="javascript:boom()"></iframe>',
  "<iframe srcdoc='<script>parent.boom()</script>'></iframe>",
  '<object data="javascript:boom()"></object>',
  '<embed src="data:text/html,<script>boom()</script>">',
  "<body onload=boom()>",
  "<details open ontoggle=boom()>x</details>",
  "<input autofocus onfocus=boom()>",
  "<select autofocus onfocus=boom()>",
  "<textarea autofocus onfocus=boom()>",
  "<video><source onerror=boom()></video>",
  "<audio src=x onerror=boom()>",
  "<marquee onstart=boom()>x</marquee>",
  "<p onmouseover=boom()>x</p>",
  '<a href="javascript:boom()">x</a>',
  '<a href="java\nscript:boom()">x</a>',
  '<a href="jav&#x09;ascript:boom()">x</a>',
  '<form action="javascript:boom()"><button>x</button></form>',
  '<button formaction="javascript:boom()">x</button>',
  '<meta http-equiv="refresh" content="0;url=javascript:boom()">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<base href="https://evil.example/">',
  "<style>*{background:url(https://evil.example)}</style>",
  '<div style="background:url(javascript:boom())">x</div>',
  "<template><script>boom()</script></template>",
  '<noscript><p title="</noscript><img src=x onerror=boom()>">',
  '<xmp><p title="</xmp><img src=x onerror=boom()>">',
  "<!--><img src=x onerror=boom()>-->",
  "<![CDATA[<img src=x onerror=boom()>]]>",
  "<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'>boom()</x:script>",
  "<isindex action=javascript:boom()>",
  "<b <script>boom()</script>",
  "<a id=boom name=body href=//evil.example>x</a>",
];

const LINKS = [
  "javascript:boom()",
  "JaVaScRiPt:boom()",
  " javascript:boom()",
  "java&#115;cript:boom()",
  "javascript&colon;boom()",
  "javascript&#58;boom()",
  "&#1;javascript:boom()",
  "java%0ascript:boom()",
  "vbscript:boom()",
  "data:text/html,<script>boom()</script>",
  "data:text/html;base64,PHNjcmlwdD5ib29tKCk8L3NjcmlwdD4=",
  "data:image/svg+xml,<svg onload=boom()>",
  "blob:https://evil.example/x",
  "file:///etc/passwd",
  "x:boom()",
  'https://a.example/" onmouseover="boom()',
  "https://a.example/' onerror='boom()",
  "//evil.example/x.png",
].flatMap((address) => [
  `[x](${address})`,
  `[x](<${address}>)`,
  `![x](${address})`,
  `![x](<${address}> "t" onerror=boom())`,
  `<${address}>`,
  `[x]\n\n[x]: <${address}>`,
]);

const MALFORMED = [
  '![x](/uploads/0123456789abcdef0123456789abcdef01234567.png#size=1x1"onerror="boom())',
  '![" onerror="boom()](https://a.example/x.png)',
  '![x](https://a.example/x.png "\\" onerror=\\"boom()")',
  '[x](https://a.example "\\"><script>boom()</script>")',
  '```"><script>boom()</script>\n<script>boom()</script>\n```',
  '```js" onclick="boom()\nx\n```',
  "```html\n<img src=x onerror=boom()>\n```",
  "`<img src=x onerror=boom()>`",
  "| a |\n|---|\n| <img src=x onerror=boom()> |",
  "- [ ] <input onfocus=boom() autofocus>",
  "[^x]\n\n[^x]: <img src=x onerror=boom()>",
  '[^"><script>boom()</script>]\n\n[^"><script>boom()</script>]: x',
  "# <img src=x onerror=boom()>",
  "a <b\n\n<script\n\n>boom()</script>",
  "<div>\n\n[x](javascript:boom())\n\n</div>",
  "[x](javascript:boom(\\)",
  '![x][y]\n\n[y]: javascript:boom() "x"',
  '<https://a.example/"onmouseover="boom()>',
  "http://a.example/<script>boom()</script>",
  "\u0000<script>boom()</script>",
  "<\u0000script>boom()</script>",
  "&lt;script&gt;boom()&lt;/script&gt;",
  "\\<script>boom()\\</script>",
  "<img src=x onerror=boom()>".repeat(50),
];

export const ATTACKS: readonly string[] = [...TAGS, ...LINKS, ...MALFORMED];

const SAFE_TAGS = new Set(
  (
    "a b blockquote br code del em h1 h2 h3 h4 hr i img input li ol p pre section span strong sub sup table tbody " +
    "td th thead tr ul"
  ).split(" "),
);
const SAFE_ATTRIBUTES =
  /^(?:href|rel|src|alt|title|width|height|class|loading|decoding|referrerpolicy|id|type|checked|disabled|start|align|dir|aria-label|aria-describedby|data-footnote(?:s|-ref|-backref)|valign|colspan|rowspan)$/;
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/)|#|[^:]*$)/i;

/** The forbidden parts of this HTML. It reads plain text and is stricter than a browser. */
export function unsafeIn(html: string): string[] {
  const found: string[] = [];
  for (const [tag, name = "", attributes = ""] of html.matchAll(
    /<\/?([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi,
  )) {
    if (!SAFE_TAGS.has(name)) found.push(tag);
    if (name === "input" && !/type="checkbox"/.test(attributes)) found.push(tag);
    for (const [, attribute = "", , value = ""] of attributes.matchAll(
      /([^\s"'<>/=]+)(=(?:"([^"]*)"|[^\s"]+))?/g,
    )) {
      if (!SAFE_ATTRIBUTES.test(attribute)) found.push(`${name} ${attribute}`);
      if ((attribute === "href" || attribute === "src") && !SAFE_ADDRESS.test(decode(value)))
        found.push(`${name} ${attribute} ${value}`);
    }
  }
  return found;
}

const decode = (text: string): string =>
  text
    .replace(/&#x([\da-f]+);?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);?/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&colon;/gi, ":")
    .replace(/[\s\p{Cc}]/gu, "");
