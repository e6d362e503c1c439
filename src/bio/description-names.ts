/** What stands after a name when the whole is about something else: an "ESAT-6 like protein" is not ESAT-6. */
const afterOther =
  'like|type|related|family|superfamily|homolog|homologue|ortholog|similar|domain|associated|interacting|binding|dependent|specific|inhibitor|inhibitory|activator|regulator|repressor|receptor'

/** What annotators put before the name of a protein that they are less sure of. */
const doubtful = 'putative|probable|possible|predicted|conserved'

/**
 * Regular expressions for lower-case texts, in what the syntaxes of PostgreSQL and JavaScript have in common, of descriptions that name what is asked for, or null for
 * a question without letters and digits. `whole`: the question is a part of the description by itself, between brackets, signs or
 * the ends. `begins`: the description begins with it, and goes on about the same thing.
 *
 * Example: `descriptionNames('ESAT-6')!.whole` matches "6 kda early secretory antigenic target (esat-6)" and not "esat-6 like
 * protein (esat-6 like protein 2)"; `descriptionNames('alcohol dehydrogenase')!.begins` matches "alcohol dehydrogenase isoenzyme iii".
 */
export function descriptionNames(query: string): { phrase: string; whole: string; begins: string } | null {
  const phrase = query
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (phrase === '') return null
  const literal = phrase.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return {
    phrase,
    whole: `(^|[\\[(;:,/] ?|^(${doubtful}) )${literal}( ?[\\[(]|[\\])};:,/.]|$)`,
    begins: `^((${doubtful}) )?${literal}(?!\\w|[- ](${afterOther})(\\W|$))`,
  }
}
