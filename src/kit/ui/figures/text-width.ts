/**
 * Han, kana, hangul and full-width signs are as wide as high: East Asian Width W and F (Unicode Standard Annex 11), as far as labels have
 * them.
 */
const wide = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u

/** About how wide a label is in pixels, before it is drawn: `labelWidth('LTR', 12)` is 20, `labelWidth('重复', 12)` is 24. */
export const labelWidth = (text: string, fontPx: number): number =>
  Math.round([...text].reduce((sum, letter) => sum + (wide.test(letter) ? fontPx : fontPx * 0.56), 0))
