import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPassages } from '../../bio/text/find-passages.ts'
import { escapeXml } from '../../bio/text/xml.ts'
import { type PlainDocuments, plainDocumentsSchema } from '../../contracts/plain-documents.ts'
import type { Language } from '../../contracts/text.ts'

const languages: readonly Language[] = ['en', 'zh']
const tagOf: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' }

/** Passages shown of a search. */
const maxPassages = 60
/** Longest words that are looked for. */
const maxWords = 200

export type RenderUsage = (
  page: string,
  request: { path: string; query: URLSearchParams; language: Language },
) => string

/**
 * The Usage within the page of the portal, for browsers that run no scripts and for programs that follow links: the contents, each chapter
 * at its address, and a search over all, in the language asked for by `?language=` or by the browser. What draws pages with scripts passes
 * over it. A path that is none of the Usage's, or a build without these texts, leaves the page as it is. Tools that the deployment has
 * switched off (`off`) have no chapter.
 */
export const readUsage = async (
  webDir: string,
  { basePath, off }: { basePath: string; off: readonly string[] },
): Promise<RenderUsage> => {
  const documents = new Map<Language, PlainDocuments>()
  for (const language of languages) {
    const text = await readFile(join(webDir, 'plain', `${language}.json`), 'utf8').catch(() => null)
    if (text === null) continue
    const plain = plainDocumentsSchema.parse(JSON.parse(text))
    const groups = plain.groups.map((group) => ({
      ...group,
      chapters: group.chapters.filter(({ id }) => !off.includes(id)),
    }))
    documents.set(language, { ...plain, groups })
  }
  return (page, { path, query, language: preferred }) => {
    const asked = query.get('language')
    const language = languages.find((one) => one === asked) ?? preferred
    const plain = documents.get(language)
    const [, id] = /^\/document(?:\/([^/]*))?\/?$/.exec(path) ?? [null, null]
    if (plain === undefined || id === null) return page
    const { labels, groups } = plain
    const chapters = groups.flatMap((group) => group.chapters)
    const chapter = chapters.find((one) => one.id === id)
    if (id !== undefined && id !== '' && chapter === undefined) return page
    const inLanguage = `language=${language}`
    const contents = groups
      .map(
        (group) =>
          `<p class="document-group">${escapeXml(group.title)}</p>${group.chapters
            .map(
              (one) =>
                `<a href="/document/${one.id}?${inLanguage}"${one === chapter ? ' aria-current="page" class="document-here"' : ''}>${escapeXml(one.title)}</a>`,
            )
            .join('')}`,
      )
      .join('')
    const words = (query.get('q') ?? '').slice(0, maxWords)
    const found = findPassages(chapters, words)
      .slice(0, maxPassages)
      .map(
        (passage) =>
          `<li><a href="/document/${passage.id}?${inLanguage}">${escapeXml(passage.title)}</a><span>…${escapeXml(passage.before)}<mark>${escapeXml(passage.match)}</mark>${escapeXml(passage.after)}…</span></li>`,
      )
      .join('')
    const other = language === 'en' ? 'zh' : 'en'
    const here = `/document${chapter === undefined ? '' : `/${chapter.id}`}`
    const title = chapter?.title ?? labels.usage
    const body = `<link rel="stylesheet" href="${plain.style}">
<main class="nv-page document">
<p class="document-above"><a href="/home">${escapeXml(labels.home)}</a> · <a href="/document?${inLanguage}">${escapeXml(labels.usage)}</a> · <a href="${here}?language=${other}" lang="${tagOf[other]}">${escapeXml(labels.otherLanguage)}</a></p>
<h1>${escapeXml(title)}</h1>
<form action="/document" role="search" class="document-find"><input type="hidden" name="language" value="${language}"><label>${escapeXml(labels.search)} <input class="nv-input" type="search" name="q" value="${escapeXml(words)}"></label></form>
${words === '' ? '' : `<section class="document-found"><h2>${escapeXml(labels.found)}: ${escapeXml(words)}</h2><ol>${found}</ol></section>`}
<div class="document-grid"><nav class="document-index" aria-label="${escapeXml(labels.contents)}">${contents}</nav>
<article class="document-text">${chapter === undefined ? `<p>${escapeXml(labels.lead)}</p>` : chapter.html}</article></div>
</main>`
    return page
      .replace('<html lang="en-US">', `<html lang="${tagOf[language]}">`)
      .replace(/<title>([^<]*)<\/title>/, (_, portal: string) => `<title>${escapeXml(title)} · ${portal}</title>`)
      .replace(
        /<noscript>[\s\S]*?<\/noscript>/,
        () => `<noscript>${body.replaceAll(/(href|src|action)="\/(?!\/)/g, `$1="${basePath}/`)}</noscript>`,
      )
  }
}
