// Accounts: login, registration, profile, persons (C-07 to C-18).
export const accountCalls = {};
