// Hands and reactions in the corners of a running session's face (J-05 to J-07).
import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { DropdownMenu, MenuButton } from "~/components/ui/dropdown-menu";
import { SEAT_ROLE } from "~/domain/roles";
import { canBeNamed, nameForActs } from "~/domain/room/aliases";
import { nameOfSeat } from "~/domain/room/guest-names";
import { handsIn, handWords, REACTIONS, type Reaction } from "~/domain/room/signals";
import { useLive } from "./live-context";
import { useFocus } from "./own-focus";
import { useOwnMute } from "./own-mute";

const REACTION_NAMES: Record<Reaction, string> = {
  "👏": "Applause",
  "❤️": "Heart",
  "😂": "Laughter",
  "🎉": "Cheer",
  "👍": "Thumbs up",
};
/** After this time without an answer of the room the button shows the room's state again. */
const WAIT_MS = 3000;

/** For a participant of a session in progress. Null without the room's connection, so the server renders none. */
export function Signals({ me }: { me: string | null }) {
  const { participants, areReactionsOff } = useLive("room");
  const client = useLive("client");
  // A hand or a reaction that waited for the connection would come too late.
  const isOpen = useLive("connection") === "open";
  const isMuted = useOwnMute(me) !== null;
  const focus = useFocus(true);
  const hands = handsIn(participants);
  const seat = participants.find(({ username }) => username === me);
  const canRun = seat?.role === SEAT_ROLE.admin;
  if (!client || !seat || me === null) return null;
  return (
    <>
      <div className="signals">
        <div className="signals-hands">
          {!isMuted && (
            <OwnHand
              isUp={seat.hand != null}
              isDisabled={!isOpen}
              onPress={(isUp) => client.signal({ type: "hand", is_up: isUp })}
            />
          )}
          {hands.length > 0 && (
            <DropdownMenu
              label={`Hands: ${hands.length}`}
              align="start"
              trigger={
                <span className="truncate">
                  {hands[0] && (hands[0].username === me ? "You" : nameOfSeat(hands[0]))}
                  {hands.length > 1 && ` +${hands.length - 1}`}
                </span>
              }
              triggerClassName="signals-line"
            >
              <ol aria-label="Hands" className="flex flex-col">
                {hands.map((person, index) => (
                  <li key={person.username} className="flex min-h-11 items-center gap-3 px-3">
                    <span className="tabular text-soft">{index + 1}</span>
                    <span className="flex-1 truncate">{nameOfSeat(person)}</span>
                    {canRun && canBeNamed(person) && (
                      <Button
                        variant="ghost"
                        aria-label={`Lower the hand of ${nameOfSeat(person)}`}
                        disabled={!isOpen}
                        onClick={() => client.signal({ type: "lower", username: nameForActs(person) })}
                      >
                        Lower
                      </Button>
                    )}
                  </li>
                ))}
              </ol>
              {canRun && (
                <MenuButton disabled={!isOpen} onClick={() => client.signal({ type: "lower" })}>
                  Lower all hands
                </MenuButton>
              )}
            </DropdownMenu>
          )}
        </div>
        {!isMuted && (canRun || !areReactionsOff) && (
          <DropdownMenu
            label="Reactions"
            trigger={<span aria-hidden="true">😊</span>}
            triggerClassName="signals-button"
          >
            {focus && !canRun && (
              <p className="px-3 py-2 text-soft">Reactions rest while {focus.title} runs.</p>
            )}
            {!areReactionsOff && !(focus && !canRun) && (
              <div className="flex">
                {REACTIONS.map((reaction) => (
                  <button
                    key={reaction}
                    type="button"
                    aria-label={REACTION_NAMES[reaction]}
                    className="signals-button"
                    disabled={!isOpen}
                    onClick={() => client.signal({ type: "react", reaction })}
                  >
                    {reaction}
                  </button>
                ))}
              </div>
            )}
            {canRun && (
              <MenuButton
                disabled={!isOpen}
                onClick={() => client.signal({ type: "reactions", is_on: areReactionsOff ?? false })}
              >
                Switch reactions {areReactionsOff ? "on" : "off"}
              </MenuButton>
            )}
          </DropdownMenu>
        )}
      </div>
      <Counts />
      <HandAnnouncer me={me} hands={hands} canRun={canRun} />
    </>
  );
}

type OwnHandProps = { isUp: boolean; isDisabled: boolean; onPress: (isUp: boolean) => void };

function OwnHand({ isUp, isDisabled, onPress }: OwnHandProps) {
  const [pending, setPending] = useState<boolean | null>(null);
  useEffect(() => {
    if (pending === null) return;
    const timer = setTimeout(() => setPending(null), pending === isUp ? 0 : WAIT_MS);
    return () => clearTimeout(timer);
  }, [pending, isUp]);
  const showsUp = pending ?? isUp;
  return (
    <button
      type="button"
      aria-label="Raise hand"
      title="Raise or lower your hand (h)"
      aria-pressed={showsUp}
      aria-keyshortcuts="h"
      className="signals-button"
      disabled={isDisabled}
      onClick={() => {
        setPending(!showsUp);
        onPress(!showsUp);
      }}
    >
      ✋
    </button>
  );
}

function Counts() {
  const counts = useLive("reactions");
  const reactions = REACTIONS.filter((reaction) => counts[reaction]);
  if (reactions.length === 0) return null;
  return (
    <ul aria-label="Reactions of everybody" className="signals-counts">
      {reactions.map((reaction) => (
        <li key={reaction}>
          <span role="img" aria-label={REACTION_NAMES[reaction]}>
            {reaction}
          </span>
          <span className="tabular">{counts[reaction]}</span>
        </li>
      ))}
    </ul>
  );
}

type Hands = ReturnType<
  typeof handsIn<{
    username: string;
    guestName?: string | undefined;
    hand?: number | null | undefined;
  }>
>;

/** Announces each new hand once to a screen reader: to its owner, and to host and admins. */
function HandAnnouncer({ me, hands, canRun }: { me: string; hands: Hands; canRun: boolean }) {
  const [announcement, setAnnouncement] = useState("");
  const newest = hands.at(-1);
  const newestHand = newest?.hand ?? 0;
  const lastHand = useRef(newestHand);
  useEffect(() => {
    if (!newest || newestHand <= lastHand.current) return;
    lastHand.current = newestHand;
    const sentence = handWords(hands.length - 1);
    if (newest.username === me) setAnnouncement(sentence);
    else if (canRun) setAnnouncement(`${nameOfSeat(newest)}: ${sentence}`);
  }, [newest, newestHand, hands.length, me, canRun]);
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
}
