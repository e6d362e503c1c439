// What looks like chance and is the same in every run: Numerical Recipes' linear congruential generator.

/** Numbers from 0 up to 1, without 1. */
export const makeRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Whole numbers from 0 up to a bound, without the bound. */
export const makeRandomBelow = (seed: number): ((below: number) => number) => {
  const random = makeRandom(seed)
  return (below) => Math.floor(random() * below)
}

export const makeBases = (lengthBp: number, seed: number, letters = 'ACGT'): string => {
  const random = makeRandomBelow(seed)
  return Array.from({ length: lengthBp }, () => letters[random(letters.length)]!).join('')
}
