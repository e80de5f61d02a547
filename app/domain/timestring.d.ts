// The one function of the library `timestring`, which brings no types of its own.
declare module "timestring" {
  type Calendar = {
    hoursPerDay?: number;
    daysPerWeek?: number;
    weeksPerMonth?: number;
    monthsPerYear?: number;
    daysPerYear?: number;
  };
  export default function timestring(text: string, unit?: string, calendar?: Calendar): number;
}
