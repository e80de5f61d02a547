// The styleguide: buttons and forms.
import { Link } from "@remix-run/react";
import { Section } from "~/components/layout/page";
import { Button, type ButtonVariant } from "~/components/ui/button";
import { Checkbox, Radio, Switch } from "~/components/ui/choices";
import { CopyButton } from "~/components/ui/copy-button";
import { Field, FieldGroup } from "~/components/ui/field";
import { Select, TextArea, TextInput } from "~/components/ui/inputs";
import { TextLink } from "~/components/ui/text-link";
import { Tooltip } from "~/components/ui/tooltip";
import { Row } from "./row";

const variants: ButtonVariant[] = ["primary", "quiet", "danger", "ghost"];

export function Controls({ theme }: { theme: string }) {
  return (
    <>
      <Section title="Buttons">
        {variants.map((variant) => (
          <Row key={variant} label={variant}>
            <Button variant={variant}>Create session</Button>
            <Button variant={variant} isLoading>
              Create session
            </Button>
            <Button variant={variant} disabled>
              Create session
            </Button>
          </Row>
        ))}
        <Row label="large, icon, as a link">
          <Button variant="primary" size="lg">
            Start Session
          </Button>
          <Tooltip text="Add a part">
            <Button size="icon" aria-label="Add">
              <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
                <path d="M10 4v12M4 10h12" />
              </svg>
            </Button>
          </Tooltip>
          <Button asChild>
            <Link to="/events">To the sessions</Link>
          </Button>
          <CopyButton text="H7K2P" label="Copy the code" />
        </Row>
      </Section>
      <Section title="Forms">
        <Field label="Title" hint="What people will see in the list." isRequired>
          <TextInput name="title" defaultValue="Morning pages" />
        </Field>
        <Field
          label="Duration"
          error="The duration cannot be 0. Give it at least five minutes."
          aside={<TextLink to="/about">What can I write?</TextLink>}
        >
          <TextInput name="duration" defaultValue="0" />
        </Field>
        <Field label="Username" hint="A username never changes.">
          <TextInput name="username" defaultValue="morag" disabled />
        </Field>
        <Field label="Difficulty">
          <Select
            name="difficulty"
            placeholder="Any"
            options={[
              { value: 3, label: "Easy" },
              { value: 4, label: "Normal" },
              { value: 6, label: "Difficult" },
            ]}
          />
        </Field>
        <Field label="Content">
          <TextArea name="content" placeholder="What is it about?" />
        </Field>
        <FieldGroup legend="Parts">
          <Checkbox name="linked" label="Each part starts where the one before ends" defaultChecked />
          <Checkbox name="hidden" label="Hidden" hint="Only you see it." />
          <Checkbox name="never" label="Not now" disabled />
          <Switch name="auto" label="Start by itself" defaultChecked />
          <Switch name="free" label="Joining is free" hint="You pay for everybody who joins." />
          <Radio name={`start-${theme}`} label="At a time" value="time" defaultChecked />
          <Radio name={`start-${theme}`} label="When I say so" value="manual" />
        </FieldGroup>
      </Section>
    </>
  );
}
