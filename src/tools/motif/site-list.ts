/** Sites of a run in columns: millions of them as objects would not fit. Grows by doubling. */
export class SiteList {
  count = 0
  motif = new Uint32Array(1024)
  sequence = new Uint32Array(1024)
  start0 = new Uint32Array(1024)
  reverse = new Uint8Array(1024)
  scaled = new Int32Array(1024)
  pValue = new Float64Array(1024)
  motifQValue = new Float64Array(1024)

  add(motif: number, sequence: number, start0: number, reverse: boolean, scaled: number, pValue: number): void {
    if (this.count === this.motif.length) this.#grow()
    const at = this.count
    this.motif[at] = motif
    this.sequence[at] = sequence
    this.start0[at] = start0
    this.reverse[at] = reverse ? 1 : 0
    this.scaled[at] = scaled
    this.pValue[at] = pValue
    this.count += 1
  }

  #grow(): void {
    const size = this.motif.length * 2
    const longer = <Column extends Uint32Array | Uint8Array | Int32Array | Float64Array>(
      column: Column,
      made: Column,
    ): Column => {
      made.set(column)
      return made
    }
    this.motif = longer(this.motif, new Uint32Array(size))
    this.sequence = longer(this.sequence, new Uint32Array(size))
    this.start0 = longer(this.start0, new Uint32Array(size))
    this.reverse = longer(this.reverse, new Uint8Array(size))
    this.scaled = longer(this.scaled, new Int32Array(size))
    this.pValue = longer(this.pValue, new Float64Array(size))
    this.motifQValue = longer(this.motifQValue, new Float64Array(size))
  }

  /** Numbers of the sites from the least p-value on; equal ones in the order of sequence, start, strand and motif. */
  inOrder(): Uint32Array {
    const { pValue, sequence, start0, reverse, motif } = this
    return Uint32Array.from({ length: this.count }, (_, at) => at).sort(
      (a, b) =>
        pValue[a]! - pValue[b]! ||
        sequence[a]! - sequence[b]! ||
        start0[a]! - start0[b]! ||
        reverse[a]! - reverse[b]! ||
        motif[a]! - motif[b]!,
    )
  }
}
