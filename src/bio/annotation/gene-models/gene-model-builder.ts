// Gene models from the features of an annotation, in whatever shape it came.
//
// Real annotation breaks its own specification in known ways. What can be understood without doubt is mended and said in the
// defect log; the rules stand beside the code that carries them out. The result keeps these promises: every transcript
// belongs to one gene and lies on its sequence and strand; exons and coding parts ascend, exons do not overlap and hold the
// coding parts; a transcript reaches from its first to its last exon and a gene holds its transcripts; phases fit the
// lengths; the stop codon is part of the coding sequence (GFF3 1.26); ids are unique among genes and among transcripts.

import type { Feature } from '../feature.ts'
import type { FeaturePlan } from '../feature-survey.ts'
import { geneModelDefects } from '../gene-model-defects.ts'
import type { GeneModelOptions, GeneModels } from '../gene-models.ts'
import { FeatureCollector } from './feature-collector.ts'
import { GeneAssembler, type OrderedGene } from './gene-assembler.ts'
import { SequencePlacement } from './sequence-placement.ts'
import { TranscriptLinker } from './transcript-linker.ts'

/**
 * Builds gene models from features added one by one in any order. `finish` gives them all, with every mend and loss in the log.
 * With a plan (see `FeatureSurvey`) only the lines are held of genes of which more may come; where it wants several rounds all
 * features are added once for each, with `nextRound` between.
 *
 * Example: added the lines gene, mRNA, two exons and two CDS of a yeast gene with an intron, `finish().genes` has one gene with
 * one transcript of two exons.
 */
export class GeneModelBuilder {
  readonly #options: GeneModelOptions
  readonly #plan: FeaturePlan | null
  readonly #placement: SequencePlacement
  readonly #lines: FeatureCollector
  readonly #assembler: GeneAssembler
  #feature = 0
  #round = 0
  #isPlaced = false
  #geneCount = 0
  #otherCount = 0
  readonly #built: GeneModels = { genes: [], features: [], circular: [] }

  constructor(options: GeneModelOptions) {
    this.#options = options
    this.#plan = options.plan ?? null
    this.#placement = new SequencePlacement(options)
    this.#lines = new FeatureCollector(options, this.#placement)
    this.#assembler = new GeneAssembler(options, this.#placement, this.#lines.parts)
    if (this.#plan !== null) this.#isPlaced = this.#placement.place()
  }

  /** Makes a sequence known before its features, as `##sequence-region` does; it takes its place in the order. */
  addSequence(name: string, circular = false): void {
    this.#placement.add(name)
    if (circular) this.#placement.markCircular(name)
  }

  /** Takes the next feature. */
  add(feature: Feature): void {
    if (this.#plan === null) {
      const sequence = this.#placement.add(feature.sequenceName)
      this.#placement.count(sequence)
      this.#lines.add(feature, sequence)
      return
    }
    const number = this.#feature++
    if (!this.#isPlaced || this.#plan.roundOf(number) !== this.#round) return
    this.#lines.add(feature, this.#placement.indexOf(feature.sequenceName))
    if (this.#plan.isCut(number, this.#round)) this.#buildHeld()
  }

  /** All features were added once; they come again from the first. */
  nextRound(): void {
    this.#feature = 0
    this.#round += 1
  }

  /** Builds the models. To be called once; nothing may be added afterwards. */
  finish(): GeneModels {
    if (this.#plan === null) this.#isPlaced = this.#placement.place()
    if (!this.#isPlaced) return this.#built
    this.#buildHeld()
    this.#placement.judgeLeftOut()
    if (this.#geneCount === 0 && this.#otherCount > 0)
      this.#options.log.report(geneModelDefects, 'model-no-genes', this.#options.file, null)
    this.#built.circular = this.#placement.circularNames()
    return this.#built
  }

  /** Builds the genes of all lines that are held, and holds none any more. */
  #buildHeld(): void {
    const models: OrderedGene[] = []
    for (const gene of new TranscriptLinker(this.#options, this.#placement, this.#lines).link())
      this.#assembler.assemble(gene, models)
    models.sort(
      (a, b) =>
        a.order - b.order ||
        a.model.start1 - b.model.start1 ||
        a.model.end1 - b.model.end1 ||
        (a.model.id < b.model.id ? -1 : 1),
    )
    const { onGene } = this.#options
    for (const { model } of models) {
      if (onGene) onGene(model)
      else this.#built.genes.push(model)
    }
    this.#geneCount += models.length
    for (const feature of this.#lines.features) {
      if (!this.#placement.clipFeature(feature)) continue
      this.#otherCount += 1
      if (!onGene) this.#built.features.push(feature)
    }
    this.#lines.clear()
  }
}
