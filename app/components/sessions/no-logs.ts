// The sentence of a session without logs (M-40).
export const NO_LOGS = "No one has logged any goal progress in this session.";
