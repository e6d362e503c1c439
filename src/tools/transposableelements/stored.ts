/** Kinds of the rows and files of a bundle. */
export const gff3File = 'transposable-elements.gff3.gz'
export const libraryKind = 'te-library'
export const profilesKind = 'te-profiles'

/** Last bin holds all that is older. */
export const ageBins = 51
