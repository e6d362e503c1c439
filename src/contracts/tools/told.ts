// How much of a question is told in a line about it.

/** Names that are told of a list; of more, how many there are. */
export const namesTold = 3
/** Letters that are told of a sequence without a name. */
export const lettersTold = 12
