import { type GeneTopic, geneTopics } from '../../../kit/ui/gene/define-gene-panel.ts'

/**
 * Sections as they stand on the page: real data before simulated, then by topic as a geneticist asks, by the place that each declares
 * within its topic, and by id.
 *
 * @example orderSections([
 *   { id: 'cells', topic: 'expression', order: 30, simulated: true },
 *   { id: 'papers', topic: 'literature', order: 10, simulated: false },
 *   { id: 'terms', topic: 'function', order: 10, simulated: false },
 * ]) // terms, papers, cells
 */
export const orderSections = <Section extends { id: string; topic: GeneTopic; order: number; simulated: boolean }>(
  sections: readonly Section[],
): Section[] =>
  [...sections].sort(
    (a, b) =>
      Number(a.simulated) - Number(b.simulated) ||
      geneTopics.indexOf(a.topic) - geneTopics.indexOf(b.topic) ||
      a.order - b.order ||
      a.id.localeCompare(b.id),
  )
