// The event of modal dialogs that open or close.

/** Dispatched on document whenever a modal dialog opens or closes; the toaster moves into the top one. */
export const DIALOG_CHANGE = "bothy:dialog-change";
export const notifyDialogChange = (): void => {
  document.dispatchEvent(new Event(DIALOG_CHANGE));
};
