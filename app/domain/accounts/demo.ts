// The accounts of the demo data. Their passwords are public, so they sign in only on the machine that runs Bothy.

export const DEMO_ACCOUNTS = [
  {
    role: "host",
    username: "morag",
    email: "host@bothy.example",
    password: "kettle on the stove",
    firstName: "Morag",
  },
  {
    role: "participant",
    username: "ewan",
    email: "participant@bothy.example",
    password: "boots by the door",
    firstName: "Ewan",
  },
  {
    role: "super admin",
    username: "warden",
    email: "admin@bothy.example",
    password: "keys to every hut",
    firstName: "Isla",
  },
] as const;
export type DemoRole = (typeof DEMO_ACCOUNTS)[number]["role"];

export const isDemoEmail = (email: string): boolean =>
  DEMO_ACCOUNTS.some((account) => account.email === email.toLowerCase());
