// Reads calendar files with ical.js, a library that did not write them.
import ICAL from "ical.js";

/** An event as a reader understands it; instants in milliseconds. */
export type EventRead = {
  uid: string;
  sequence: number;
  changedAt: number;
  start: number;
  end: number;
  title: string;
  description: string;
  address: string;
  status: string;
};

const ms = (time: unknown): number => (time as ICAL.Time).toUnixTime() * 1000;

/** The events of a calendar file, in the order of the file. */
export function readByIcal(text: string): EventRead[] {
  const file = new ICAL.Component(ICAL.parse(text));
  return file.getAllSubcomponents("vevent").map((event) => {
    const value = (name: string) => event.getFirstPropertyValue(name);
    return {
      uid: String(value("uid")),
      sequence: Number(value("sequence")),
      changedAt: ms(value("dtstamp")),
      start: ms(value("dtstart")),
      end: ms(value("dtend")),
      title: String(value("summary")),
      description: String(value("description")),
      address: String(value("location")),
      status: String(value("status")),
    };
  });
}
