/** Words by which one asks what a genome lacks; of the Chinese ones the longest first. */
const english =
  /\b(?:absent|absence|delet(?:ed|ion|ions)|gone|lack(?:s|ed|ing)?|lost|loss(?:es)?|missing|not\s+(?:found|in|present))\b/giu
const chinese = /缺失|丢失|缺少|缺乏|没有|不含|不存在/gu
const fillers =
  /\b(?:a|all|any|are|by|does|from|genes?|has|have|in|is|of|region|regions|that|the|were|what|which|within)\b/giu
const chineseFillers = /基因组?|区段|哪些|什么|是否|[的在中里于被了有？]/gu

/**
 * A question for what a genome lacks, with the words that ask it and what else it says; null where it has no such word.
 *
 * @example readAbsence('esxA deleted in BCG?') // { typed: 'deleted', rest: 'esxA BCG' }
 * @example readAbsence('卡介苗缺失的基因') // { typed: '缺失', rest: '卡介苗' }
 */
export const readAbsence = (question: string): { typed: string; rest: string } | null => {
  const text = question.normalize('NFKC')
  const typed = [...(text.match(english) ?? []), ...(text.match(chinese) ?? [])]
  if (typed.length === 0) return null
  const rest = [english, chinese, fillers, chineseFillers].reduce((left, words) => left.replace(words, ' '), text)
  return { typed: typed.join(' '), rest: rest.replace(/[\s,;?]+/g, ' ').trim() }
}
