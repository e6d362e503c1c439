import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { full, hasRealData } from '../src/testing/real-data.ts'
import { openSection, settle, visit } from './browser.ts'
import { sampleAssembly, toyAssembly } from './track-samples.ts'

/** The first opening fetches and reads a megabyte of script. */
const openingMs = 45_000

const samples = inject('trackSamples')

interface Example {
  assembly: string
  id: string
  symbol: string | null
  sequence: string
  start: number
  end: number
}

interface Loaded {
  id: string
  reference: boolean
  exampleGenes: Omit<Example, 'assembly'>[]
}

const assemblies = async (): Promise<Loaded[]> => {
  const answer = (await (await fetch(`${inject('portalUrl')}/api/species/`)).json()) as {
    data: { species: { assemblies: Loaded[] }[] }
  }
  return answer.data.species.flatMap((one) => one.assemblies)
}

/** Two well described genes of the reference, from what the portal says is loaded. */
const examples = async (): Promise<[Example, Example]> => {
  const reference = (await assemblies()).find((one) => one.reference)
  const [first, second] = (reference?.exampleGenes ?? []).map((gene) => ({ ...gene, assembly: reference!.id }))
  if (first === undefined || second === undefined) throw new Error('the reference has no two example genes')
  return [first, second]
}

const placeOf = (address: string): { sequence: string; start: number; end: number } => {
  const loc = new URL(address).searchParams.get('loc') ?? ''
  const [, sequence, start, end] = /^(.*):(\d+)\.\.(\d+)$/.exec(loc) ?? []
  return { sequence: sequence ?? '', start: Number(start), end: Number(end) }
}

const waitForGene = (page: Page, gene: Example): Promise<void> =>
  page.waitForURL(
    (url) => {
      const seen = placeOf(url.href)
      return seen.sequence === gene.sequence && seen.start < gene.start && seen.end > gene.end
    },
    { timeout: 30_000 },
  )

const trackOf = (page: Page, assembly: string, id: string): Locator =>
  page.getByTestId(`trackRenderingContainer-genome-${assembly}:${id}`)

const view = (assembly: string, loc: string, tracks: string[]): string =>
  `/jbrowse/?assembly=${assembly}&loc=${loc}&tracks=${tracks.join(',')}`

/** Drawn pixels of a track's finished canvases: all that are not clear, and those with a colour, as mismatches are. */
const inkOf = async (track: Locator): Promise<{ drawn: number; coloured: number }> => {
  await track.locator('canvas[data-testid$="_done"]').first().waitFor({ timeout: openingMs })
  return track.locator('canvas[data-testid$="_done"]').evaluateAll((canvases) => {
    let drawn = 0
    let coloured = 0
    for (const canvas of canvases as HTMLCanvasElement[]) {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 0) continue
        drawn += 1
        const shades = [data[at]!, data[at + 1]!, data[at + 2]!]
        if (Math.max(...shades) - Math.min(...shades) > 60) coloured += 1
      }
    }
    return { drawn, coloured }
  })
}

describe('moving about', () => {
  it('draws the gene of an address, moves to a gene that is searched, and goes back', async () => {
    const [first, second] = await examples()
    const { page, context, complaints } = await visit(`/jbrowse/?gene=${first.id}`)
    await page.locator('.jbrowse-frame svg text').first().waitFor({ timeout: openingMs })
    await waitForGene(page, first)
    const box = page.locator('.jbrowse-place input')
    await box.fill(second.id)
    await box.press('Enter')
    await waitForGene(page, second)
    await page.goBack()
    await waitForGene(page, first)
    await page.goForward()
    await waitForGene(page, second)
    expect(complaints).toEqual([])
    await context.close()
  })

  if (full)
    it('finds a gene by its symbol in the box of JBrowse, and keeps tracks chosen in the list in the address', async () => {
      const { page, context } = await visit(view(sampleAssembly, 'chrS:100..900', ['vcf']))
      await trackOf(page, sampleAssembly, 'vcf').waitFor({ timeout: openingMs })
      const box = page.getByTestId('autocomplete').locator('input')
      await box.fill('SMP1')
      await box.press('Enter')
      await page.waitForURL(
        (url) => placeOf(url.href).start <= samples.variant.position1 - 600 && placeOf(url.href).start > 900,
      )
      await page.getByRole('button', { name: /^Tracks/ }).click()
      await page.getByRole('checkbox', { name: /Sample bed/ }).click()
      await page.waitForURL((url) => url.searchParams.get('tracks') === 'vcf,bed')
      await page.keyboard.press('Escape')
      await page.reload()
      await trackOf(page, sampleAssembly, 'bed').waitFor({ timeout: openingMs })
      await context.close()
    })

  if (full)
    it('opens another assembly from an address that names only its gene, and says what is unknown', async () => {
      const [first] = await examples()
      const { page, context } = await visit(view(sampleAssembly, 'chrS:100..900', ['bed']))
      await trackOf(page, sampleAssembly, 'bed').waitFor({ timeout: openingMs })
      await page.goto(`${inject('portalUrl')}/jbrowse/?gene=${first.id}`)
      await page.waitForURL((url) => url.searchParams.get('assembly') === first.assembly)
      await trackOf(page, first.assembly, 'genes').locator('svg text').first().waitFor({ timeout: openingMs })
      await page.goto(`${inject('portalUrl')}/jbrowse/?assembly=no-such-genome`)
      await page.getByText('Locus not found').waitFor()
      await page.getByText('no-such-genome').first().waitFor()
      await page.getByRole('button', { name: 'Go to the start of this assembly' }).click()
      await page.waitForURL((url) => url.searchParams.get('assembly') === first.assembly)
      await context.close()
    })
})

describe('tracks', () => {
  const around = (flank: number): string =>
    `chrS:${samples.variant.position1 - flank}..${samples.variant.position1 + flank}`

  it('features of GFF3, BED and VCF files are drawn with their names', async () => {
    const { page, context, complaints } = await visit(
      view(sampleAssembly, around(900), ['genes', 'vcf', 'bed', 'gff3']),
    )
    for (const [id, name] of [
      ['genes', 'SMP1'],
      ['vcf', 'planted-variant'],
      ['bed', 'bed-peak'],
      ['gff3', 'gff-element'],
    ] as const) {
      await trackOf(page, sampleAssembly, id).getByText(name).first().waitFor({ timeout: openingMs })
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  if (full)
    it('reads of BAM and CRAM files show the variant that all of them carry, at its base only', async () => {
      const kinds = ['bam', 'cram']
      const at = await visit(view(sampleAssembly, around(60), kinds))
      for (const id of kinds) {
        const ink = await inkOf(trackOf(at.page, sampleAssembly, id).getByTestId('Blockset-pileup'))
        expect(ink.coloured).toBeGreaterThan(20)
        expect(ink.coloured).toBeLessThan(ink.drawn / 10)
      }
      expect(at.complaints).toEqual([])
      await at.context.close()
      // Far from it the same reads are as the genome.
      const elsewhere = await visit(view(sampleAssembly, 'chrS:5000..5120', kinds))
      for (const id of kinds) {
        const ink = await inkOf(trackOf(elsewhere.page, sampleAssembly, id).getByTestId('Blockset-pileup'))
        expect(ink.drawn).toBeGreaterThan(500)
        expect(ink.coloured).toBe(0)
      }
      await elsewhere.context.close()
    })

  it('signals of BigWig files are drawn by ranges, a missing file is named and spoils no other track', async () => {
    const { page, context } = await visit(view(sampleAssembly, around(900), ['lost', 'depth']), {
      language: 'zh-CN',
    })
    await trackOf(page, sampleAssembly, 'lost')
      .getByText('服务器上没有该轨道的文件 lost.bw')
      .first()
      .waitFor({ timeout: openingMs })
    expect((await inkOf(trackOf(page, sampleAssembly, 'depth'))).drawn).toBeGreaterThan(1000)
    expect(await trackOf(page, sampleAssembly, 'depth').getByTestId('reload_button').count()).toBe(0)
    await context.close()
  })

  it.skipIf(!hasRealData)(
    'files that other programs wrote are drawn: BAM, CRAM, BigWig, VCF and GFF3 of the toy genome',
    async () => {
      const tracks = ['bam', 'cram', 'microarray', 'depth', 'vcf', 'features']
      const { page, context, complaints } = await visit(view(toyAssembly, 'ctgA:2800..3300', tracks))
      for (const id of ['bam', 'cram']) {
        const reads = await inkOf(trackOf(page, toyAssembly, id).getByTestId('Blockset-pileup'))
        // 97 reads lie here, as samtools counts: a few would be a reader that takes them for one another.
        expect(reads.drawn).toBeGreaterThan(20_000)
      }
      for (const id of ['microarray', 'depth']) {
        expect((await inkOf(trackOf(page, toyAssembly, id))).drawn).toBeGreaterThan(5000)
      }
      // Its VCF calls the sequence contigA.
      await trackOf(page, toyAssembly, 'vcf').getByText('rs17883296').first().waitFor()
      await trackOf(page, toyAssembly, 'features').getByText('f06').first().waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  if (full)
    it('hits of a BLAST search are a track of their own', async () => {
      const run = await fetch(`${inject('portalUrl')}/api/tools/blast/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ genes: ['SAMPLE1'], assembly: sampleAssembly, databases: [`${sampleAssembly}/genome`] }),
      })
      const { data } = (await run.json()) as { data: { job: { id: string } } }
      await expect
        .poll(
          async () =>
            (
              (await (await fetch(`${inject('portalUrl')}/api/jobs/${data.job.id}/`)).json()) as {
                data: { job: { state: string } }
              }
            ).data.job.state,
          { timeout: 60_000, interval: 300 },
        )
        .toBe('done')
      const { page, context } = await visit(`${view(sampleAssembly, around(1200), ['genes'])}&hits=${data.job.id}`)
      await trackOf(page, sampleAssembly, 'hits').locator('svg rect').first().waitFor({ timeout: openingMs })
      await context.close()
    })
})

describe('around JBrowse', () => {
  if (full)
    it('speaks Chinese, changes language and theme without losing the view, and says what a wrong place is', async () => {
      const [first] = await examples()
      const { page, context } = await visit(`/jbrowse/?gene=${first.id}`, { language: 'zh-CN' })
      await trackOf(page, first.assembly, 'genes').locator('svg text').first().waitFor({ timeout: openingMs })
      expect(await page.locator('.jbrowse-bar h1').textContent()).toBe('基因组浏览器')
      const frame = page.locator('.jbrowse-frame')
      // With what tells that they are simulated, where they are.
      await frame
        .getByText(/^基因(（模拟数据）)?$/)
        .first()
        .waitFor()
      const ground = (): Promise<string> =>
        page.locator('.MuiScopedCssBaseline-root').evaluate((element) => getComputedStyle(element).backgroundColor)
      const light = await ground()
      await waitForGene(page, first)
      await page.getByRole('button', { name: '配色' }).click()
      await page.getByRole('menuitemradio', { name: '深色' }).click()
      await expect.poll(ground, { timeout: 15_000 }).not.toBe(light)
      await waitForGene(page, first)
      await page.getByRole('button', { name: '语言' }).click()
      await page.getByRole('menuitemradio', { name: 'English' }).click()
      await frame
        .getByText(/^Genes( \(simulated\))?$/)
        .first()
        .waitFor({ timeout: openingMs })
      await waitForGene(page, first)
      await page.goto(`${inject('portalUrl')}/jbrowse/?assembly=${first.assembly}&loc=no-such-place`)
      await page.getByText('Locus not found').waitFor()
      await context.close()
    })

  if (full)
    it('on a phone nothing sticks out and the view can be zoomed', async () => {
      const [first] = await examples()
      const { page, context } = await visit(`/jbrowse/?gene=${first.id}`, { width: 390, height: 844 })
      await trackOf(page, first.assembly, 'genes').locator('svg text').first().waitFor({ timeout: openingMs })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      await waitForGene(page, first)
      const before = placeOf(page.url())
      const zoom = page.getByTestId('zoom_out')
      const seen = (await zoom.boundingBox())!
      expect(seen.x + seen.width).toBeLessThanOrEqual(390)
      await zoom.click()
      await page.waitForURL(
        (url) => placeOf(url.href).end - placeOf(url.href).start > (before.end - before.start) * 1.5,
      )
      await context.close()
    })

  it('its script is fetched only where it is shown; on a gene page on request', async () => {
    const [first] = await examples()
    const { page, context, complaints } = await visit('/')
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    const fetched = (): boolean => scripts.some((url) => url.includes('/browser-view-'))
    await page.goto(`${inject('portalUrl')}/gene?id=${first.id}&assembly=${first.assembly}`)
    await page.locator('#jbrowse').scrollIntoViewIfNeeded()
    await settle(page)
    expect(fetched()).toBe(false)
    await openSection(page, 'jbrowse')
    await trackOf(page, first.assembly, 'genes').locator('svg text').first().waitFor({ timeout: openingMs })
    expect(fetched()).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
  })
})
