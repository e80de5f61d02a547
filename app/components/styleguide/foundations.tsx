// The foundations of the styleguide: colours, type, avatars, drawings.
import { Section } from "~/components/layout/page";
import { Drawing, type DrawingName } from "~/components/pictures/drawing";
import { Logo } from "~/components/pictures/logo";
import { Avatar } from "~/components/ui/avatar";
import { ProgressBar } from "~/components/ui/progress-bar";
import { OutsideLink, TextLink } from "~/components/ui/text-link";
import { Row } from "./row";

const names = [
  "Morag Reid",
  "finlay",
  "isla_m",
  "Hamish",
  "ailsa-99",
  "callum",
  "Eilidh",
  "rory",
  "Catriona",
  "Angus",
];
const drawings: DrawingName[] = ["hut", "lamp", "path", "kettle", "hills"];
const colours = [
  "paper",
  "surface",
  "raised",
  "sunken",
  "line",
  "edge",
  "ink",
  "soft",
  "faint",
  "ember",
  "ember-strong",
  "ember-wash",
  "glow",
  "pine",
  "pine-wash",
  "dusk",
  "dusk-wash",
  "red",
  "red-wash",
];

export function Foundations() {
  return (
    <>
      <Section title="Colours">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-3">
          {colours.map((name) => (
            <li key={name} className="flex flex-col gap-1 text-sm">
              <span className="h-12 rounded-md border border-line" style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        <p className="font-title text-2xl font-bold">Timed sessions, together</p>
        <p className="font-title text-xl font-bold">Start in five minutes</p>
        <p className="text-lg">A bothy is a small hut, free for anyone to use.</p>
        <p className="max-w-[65ch]">
          Plain text at sixteen pixels, under seventy-two characters a line.{" "}
          <TextLink to="/about">A link</TextLink>, and{" "}
          <OutsideLink href="https://example.com">one to elsewhere</OutsideLink>.
        </p>
        <p className="text-sm text-soft">Small text for facts and hints. 0123456789</p>
      </Section>
      <Section title="Faces and progress">
        <Row>
          {names.map((name) => (
            <Avatar key={name} name={name} size={48} label={name} />
          ))}
        </Row>
        <Row label="online, whose turn">
          <Avatar name="Morag Reid" size={48} isOnline label="Morag Reid, online" />
          <Avatar name="finlay" size={48} isTheirTurn label="finlay, whose turn it is" />
        </Row>
        <ProgressBar label="Pages" value={3} max={10} text="3 of 10 pages" isTextShown />
        <ProgressBar label="Hours" value={10} max={10} text="10 of 10 hours" isTextShown />
      </Section>
      <Section title="Drawings">
        <div className="grid gap-4 text-soft sm:grid-cols-2">
          {drawings.map((name) => (
            <Drawing key={name} name={name} label={name} className="w-full" />
          ))}
        </div>
        <Row>
          <Logo className="size-8" />
          <Logo className="size-16" />
        </Row>
      </Section>
    </>
  );
}
