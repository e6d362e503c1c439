import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import { anchorOf, Markdown, safeHref } from './markdown.tsx'

const html = (text: string): string =>
  renderToStaticMarkup(createElement(MemoryRouter, null, createElement(Markdown, { text, section: 's' })))

describe('a document', () => {
  it('draws headings one level down, with an anchor of its section', () => {
    expect(html('# BLAST')).toBe('<h2 id="s-blast">BLAST</h2>')
  })

  it('runs nothing that it holds', () => {
    expect(html('<img src=x onerror=alert(1)>')).not.toContain('<img')
    expect(html('a <script>alert(1)</script> b')).not.toContain('<script>')
    expect(html('[x](javascript:alert(1))')).not.toContain('href')
  })

  it('leads only to pages, anchors and the web', () => {
    expect(
      ['/tools', '#limits', 'https://doi.org/x', 'javascript:x', '//evil.example', 'data:text/html,x'].map(safeHref),
    ).toEqual(['/tools', '#limits', 'https://doi.org/x', null, null, null])
  })

  it('leads to the chapter that a document beside it is, and nowhere for one that is no chapter', () => {
    expect(html('[Import](import.zh.md)')).toContain('href="/document/import"')
    expect(html('[Figures](measurements.en.md)')).not.toContain('href')
  })

  it('keeps Chinese words in anchors', () => {
    expect(anchorOf('方法 与 引用!')).toBe('方法-与-引用')
  })
})
