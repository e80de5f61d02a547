// A small book for the demo (D-11): written for Bothy, free for anyone to use.

export const DEMO_BOOK = {
  title: "The Book of Small Huts",
  text: `A hut is the least a house can be. It keeps the rain off, it holds a fire, and it has a door that closes but does not lock. Everything beyond that is comfort, and comfort is for people who mean to stay. A hut is for people who mean to go on.

Whoever builds a hut builds it for strangers. The builder sleeps in it once, perhaps twice, to see where the draught comes in. After that it belongs to whoever arrives wet. This is why huts are honest buildings: there is nobody to impress, and the weather checks the work.

Leave it better than you found it, the old rule says, and it is a harder rule than it looks. To leave it as you found it you need only be careful. To leave it better you must look round and see what is missing, and then give up an hour of your rest for someone you will never meet. A split log by the stove is a letter to a stranger.

There is a book on the table in most huts, and people write in it. They write the date, the weather, where they came from and where they are going. Some add a line about the view. Read enough of these and you notice that nobody boasts. It is hard to boast to a room you will leave in the morning.

The kettle is the clock of a hut. Things are done before it boils or after it boils. Talk begins when it is filled and stops, for a moment, when it sings. I have known people who could not agree on the day of the week and yet were never late for tea.

Walking together is mostly waiting. The quick wait for the slow at the gate, and the slow wait for their breath, and both learn something that they would not have learned alone: the quick, that the hill is still there; the slow, that they are expected. To be expected is a great help on a hill.

Alone I would have turned back at the burn. It was up to the second stone and the light was going. But there were four of us, and each supposed that the others were not afraid, and so we crossed, and were all afraid together on the other side, which is a different thing and nearly pleasant.

Fire wants three things and so does work: something dry to begin with, room to breathe, and somebody who looks at it now and then. Most work that goes out goes out for want of the third. It is not neglect, exactly. One simply sat down with one's back to it.

Begin before you are ready. The path explains itself as you walk; it never explains itself to people who stand at the gate with a map. I do not say leave the map at home. I say that it is for reading at lunch, when you know which of its lines is the one under your boots.

A rest is part of the climb. People who are ashamed of resting rest badly, with their packs on, and get up more tired than they sat down. Put the pack down. Take the stone out of the boot. Look at something far away. Then go on, and do not count it as lost, for it was where the next hour came from.

Count small things. Steps, stones, the number of times the cuckoo calls before it thinks better of it. Large things cannot be counted, only worried about. A thousand steps is a thing one can do ten times before dark; a mountain is not a thing one can do at all.

When two people have carried the same load by turns, they know each other in a way that talk does not bring about. It is the turns that do it. Whoever carries sees what the other saw; whoever walks free learns how far it is from one tree to the next when somebody else is counting.

The evening in a hut divides those who write things down from those who say that they will remember. Both are sincere. In the spring the first lot know where the ford was and the second lot know that there was one. I have been both, and I have been wet.

It is no use to promise the hill anything. Promise a person instead, and say the hour. I will be at the gate at seven is worth more than any amount of I mean to walk more. The hill does not mind if you do not come. The person at the gate minds, and you know it, and that gets your boots on.

There will be a day when nothing goes. The wood is wet, the bread is mouldy, you have come down on the wrong side. On such a day do the smallest thing that is still the thing: sweep the floor, mend the latch, write the date in the book and under it the one word "rain". Tomorrow begins from there, and not from nothing.

And when you leave, look back once from the bend. Not out of sorrow; only to see whether the door is shut and the smoke is down. Somebody will come up the path this evening with cold hands. They will find the log you split. They will not know your name, and they will be glad of you.`,
};
