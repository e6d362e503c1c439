/** What stands after a name when the whole is about something else: an "ESAT-6 like protein" is not ESAT-6. */
const afterOther =
  'like|type|related|family|superfamily|homolog|homologue|ortholog|similar|domain|associated|interacting|binding|dependent|specific|inhibitor|inhibitory|activator|regulator|repressor|receptor'

/** What annotators put before the name of a protein that they are less sure of. */
const doubtful = 'putative|probable|possible|predicted|conserved'

/**
 * Regular expressions for lower-case texts, in what the syntaxes of PostgreSQL and JavaScript have in common, of descriptions that name
 * what is asked for, or null for
 * a question without letters and digits. `exact`: the description is the question and nothing else. `whole`: the question is a part of the description by itself, between brackets, signs or
 * the ends. `begins`: the description begins with it, and goes on about the same thing.
 *
 * Example: `descriptionNames('ESAT-6')!.whole` matches "6 kda early secretory antigenic target (esat-6)" and not "esat-6 like
 * protein (esat-6 like protein 2)"; `descriptionNames('alcohol dehydrogenase')!.begins` matches "alcohol dehydrogenase isoenzyme iii".
 * Other writings of the question, in lower case, count as the question: `descriptionNames('CFP 10', ['cfp10', 'cfp-10'])!.whole` matches
 * "culture filtrate antigen (cfp10)". `phrase`: what every description has that either of them matches.
 */
export function descriptionNames(
  query: string,
  otherWrittenForms: readonly string[] = [],
): { phrase: string; exact: string; whole: string; begins: string } | null {
  const typed = query
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (typed === '') return null
  // Of a Greek letter and its name no beginning is the same: it is the name that descriptions have.
  const shared = otherWrittenForms.filter((writing) => writing.startsWith(typed.slice(0, 1)))
  const writtenForms =
    shared.length === otherWrittenForms.length ? [typed, ...otherWrittenForms] : [...otherWrittenForms]
  const phrase = writtenForms.reduce((common, writing) => {
    let length = 0
    while (length < common.length && common[length] === writing[length]) length++
    return common.slice(0, length)
  })
  const escaped = writtenForms.map((writing) => writing.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  const literal = escaped.length === 1 ? escaped[0]! : `(?:${escaped.join('|')})`
  return {
    phrase,
    exact: `^((${doubtful}) )?${literal}\\.?$`,
    whole: `(^|[\\[(;:,/] ?|^(${doubtful}) )${literal}( ?[\\[(]|[\\])};:,/.]|$)`,
    begins: `^((${doubtful}) )?${literal}(?!\\w|[- ](${afterOther})(\\W|$))`,
  }
}
