/** The map of a pathway; `gene` outlines the boxes of a gene. */
export const mapAddress = (
  of: { source: string; id: string },
  assembly: string,
  more: Record<string, string> = {},
): string => `/path/map?${new URLSearchParams({ id: of.id, source: of.source, assembly, ...more })}`

/** A gene's page with the pathway that one comes from. */
export const mapGeneAddress = (gene: string, assembly: string, of: { source: string; id: string }): string =>
  `/map/gene?${new URLSearchParams({ id: gene, assembly, pathway: of.id, source: of.source })}`

export const enrichmentAddress = (genes: readonly string[], assembly: string, source: string): string =>
  `/tools/enrichment?${new URLSearchParams({ genes: genes.join(','), assembly, ...(source === '' ? {} : { collections: `~${JSON.stringify([source])}` }), run: '1' })}`
