import { afterAll, beforeAll, expect, inject } from 'vitest'
import { translator } from '../src/kit/ui/language.tsx'
import { makeZip } from '../src/testing/archives.ts'
import { ncbiDatasets } from '../src/testing/import-sources.ts'
import geneExpression from '../src/tools/geneexpression/messages.ts'
import { messages as dataImport } from '../src/web/messages/import.ts'
import { findBarriers, visit } from './browser.ts'
import { inTurn } from './journeys.ts'
import { runCommand, signInAsAdmin } from './portal-command.ts'

// From a download of NCBI to a page of one of its genes, in the browser alone.

let adminToken: string

beforeAll(async () => {
  adminToken = await signInAsAdmin(inject('portalUrl'), inject('adminPassword'))
})
afterAll(async () => {
  // Of a journey that broke off before it took the species out itself.
  await runCommand(['remove', 'testus-minimus'], inject('dataDir')).catch(() => {})
})

inTurn('in %s', (language, it) => {
  const t = translator(dataImport, language)

  it('a zip of NCBI is dropped, recognised, loaded, looked at and taken out again', async () => {
    const { page, context, complaints } = await visit('/info?tab=import', {
      language,
      token: adminToken,
      inspected: true,
    })
    const zip = makeZip(Object.entries(ncbiDatasets()).map(([name, content]) => ({ name, content })))
    await page.getByText(t('import.drop')).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const drop = async (name: string, content: Uint8Array): Promise<void> => {
      const dataTransfer = await page.evaluateHandle(
        ([bytes, called]) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(bytes)], called))
          return data
        },
        [[...content], name] as const,
      )
      await page.dispatchEvent('.import-drop', 'drop', { dataTransfer })
    }
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: t('import.delete'), exact: true }).click()
      await page
        .locator('dialog[open]')
        .getByRole('button', { name: t('import.delete'), exact: true })
        .click()
      await page.getByText(t('import.drop')).waitFor()
    }
    await drop('ncbi_dataset.zip', zip)
    await page.getByText(t('import.firstGenes')).waitFor({ timeout: 60_000 })
    for (const text of ['Testus minimus', 'NC_900001.1', 'genomic.gff'])
      await page
        .getByText(text, { exact: text !== 'genomic.gff' })
        .first()
        .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: t('import.load'), exact: true }).click()
    await page.getByText(t('import.done', { species: 'Testus minimus' })).waitFor({ timeout: 240_000 })
    await page.getByRole('link', { name: t('import.openGene', { gene: 'TM_0001' }) }).click()
    await page.waitForURL((url) => url.pathname === '/gene' && url.searchParams.get('id') === 'TM_0001')
    await page.locator('.nv-structure').first().waitFor()

    // A table is dropped: it is told to be of that species, added to it, and undone.
    await page.goto(`${inject('portalUrl')}/info?tab=import`)
    await page.getByText(t('import.drop')).waitFor()
    const rows = ['gene\tleaf_1\tleaf_2', 'TM_0001\t5.5\t6', 'TM_0002\t1\t0', 'TM_0004\t2\t3', '']
    await drop('leaf.tsv', Buffer.from(rows.join('\n')))
    await page.getByText(t('import.adds', { species: 'Testus minimus' })).waitFor({ timeout: 60_000 })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: t('import.addLoad'), exact: true }).click()
    const leaf = { entries: 'leaf', count: 1, species: 'Testus minimus' }
    await page.getByText(t('import.entriesDone', leaf)).waitFor({ timeout: 240_000 })
    await page.getByText(t('import.matched', { entry: 'leaf', samples: 2, genes: 3 })).waitFor()
    expect(
      await page.getByRole('link', { name: translator(geneExpression, language)('title'), exact: true }).count(),
    ).toBeGreaterThan(0)
    await page.getByRole('button', { name: t('import.undo'), exact: true }).click()
    await page.locator('dialog[open]').getByText(t('import.undoAdd', leaf)).waitFor()
    await page
      .locator('dialog[open]')
      .getByRole('button', { name: t('import.undo'), exact: true })
      .click()
    await page.getByText(t('import.undoneAdd', leaf)).waitFor()
    await page.getByText(t('import.state.undone'), { exact: true }).first().waitFor()

    await remove()
    // No file nor folder of the zip says what it is of.
    await page.getByRole('button', { name: 'import', exact: true }).click()
    await page.getByRole('button', { name: t('import.undo'), exact: true }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.getByText(t('import.undoRemove', { species: 'Testus minimus' })).waitFor()
    await dialog.getByRole('button', { name: t('import.undo'), exact: true }).click()
    await page.getByText(t('import.undoneRemove', { species: 'Testus minimus' })).waitFor()
    await remove()
    expect(complaints).toEqual([])
    await context.close()
  }, 900_000)
})
