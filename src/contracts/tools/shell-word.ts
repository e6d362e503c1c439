/** Line ends, tabs and other characters that steer a terminal or break a line of text: quoted by number, so that a command is one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')

/**
 * An argument as a word that a shell reads as that argument (POSIX.1-2024, section 2.2 of the shell's language; `$'…'` for line ends,
 * which bash, zsh and ksh have had for long). `shellWord("ID='rs1'")` is `'ID='\''rs1'\'''`, of nothing `''`, of `-max_hsps` itself.
 */
export const shellWord = (argument: string): string => {
  if (/^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+:,./=-]*$/.test(argument)) return argument
  if (!controls.test(argument)) return `'${argument.replaceAll("'", "'\\''")}'`
  return `$'${argument.replace(/['\\]/g, '\\$&').replace(new RegExp(controls, 'g'), octal)}'`
}
