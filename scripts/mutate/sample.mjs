import { createHash } from 'node:crypto'

/** A mutant's place in the repository, wherever the copy of it is that the tool works in. */
const placeOf = (fileName) => /(?:apps|packages)\/[^/]+\/src\/.*$/.exec(fileName.replaceAll('\\', '/'))?.[0]

/** The same mutants are first at every run and on every machine, in whatever order they come. */
const rankOf = ({ fileName, location, mutatorName, replacement }, seed) =>
  createHash('sha256')
    .update(JSON.stringify([seed, placeOf(fileName), location, mutatorName, replacement]))
    .digest('hex')

/** `count` mutants by a seed; all of them when count is 0. */
export function sampleOf(mutants, count, seed) {
  if (count === 0) return mutants
  const ranked = mutants.map((mutant) => ({ mutant, rank: rankOf(mutant, seed) }))
  return ranked
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

/** Message for a mutant that is not in the sample, where the tool says why one is not run. */
export const notInSample = 'not in the sample'

/**
 * Stryker knows no samples. It asks a checker before it runs a mutant: this one lets those of the sample pass.
 *
 * @see https://stryker-mutator.io/docs/stryker-js/api, "Checker"
 */
const checker = () => ({
  init: async () => {},
  // one group, so that the whole list is known
  group: async (mutants) => [mutants.map(({ id }) => id)],
  async check(mutants) {
    const { MUTATE_SAMPLE = '0', MUTATE_SEED = '1' } = process.env
    const chosen = new Set(sampleOf(mutants, Number(MUTATE_SAMPLE), MUTATE_SEED).map(({ id }) => id))
    const verdictOf = (id) => (chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: notInSample })
    return Object.fromEntries(mutants.map(({ id }) => [id, verdictOf(id)]))
  },
})
checker.inject = []

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: checker }]
