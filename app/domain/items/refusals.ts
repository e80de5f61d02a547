// The sentences that refuse an act on items and books. Answers send them with the error code.

export const noPassage = "We could not find this passage.";
export const noParaphrase = "We could not find this paraphrase.";
export const authorChanges = "Only its author may change a paraphrase.";
export const noItem = "We could not find this item.";
export const ownerChanges = "Only its owner may change an item.";
export const ownParent = "Please choose one of your own items.";
export const underItself = "An item cannot be under itself.";
export const oneParent = "Please choose one parent: a hut or an item.";
export const publicUnderPrivate =
  "An item below that one would be public, because only that one is private. Please choose another parent.";
export const belowStaysPublic =
  "The items below would stay public, because only this one would move to the private hut. Please move them first.";
export const moving = "These items are being moved elsewhere. Please try again.";
export const hasParaphrases =
  "Other people wrote paraphrases of this book, so you cannot delete it. You can unpublish it instead.";
export const hiddenByDecision = "A decision on a report has hidden this book.";
export const notYours = "These are somebody else's items.";
export const noRoomBetween = "There is no room between these two. Please choose another place.";
export const otherList = "This item is not in the same list.";
export const notUploaded = (name: string, reason: string) => `Couldn't upload file: ${name}. ${reason}`;
export const imageTooLarge = "An image may have up to 10 MB.";
export const imageOtherType = "Please use a JPEG, PNG, GIF, BMP, WebP or TIFF image.";
export const imageTooManyParts = "The image has too many parts. Please save it again in an image program.";
export const imageDamaged = "The image is damaged.";
export const imageTooManyPixels = "The image has too many pixels.";
export const imageAgain = "Please try again.";
export const imagesOfDayFull = "You may upload 100 MB of images in 24 hours. Please try again later.";
export const imagesFull = "Your images take all of your 1 GB.";
