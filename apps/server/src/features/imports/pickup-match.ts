import { likeness } from './likeness.ts'
import { declaredIn } from './recognized-values.ts'
import { wordKey } from '../../platform/word-key.ts'

/** Words that agents put before or behind the name of a place. */
const fillers = new Set(
  'the a at from bus stop pickup pick up point meeting place hotel lobby entrance bushaltestelle haltestelle treffpunkt abholung am vom parada de del el la autobus recogida punto encuentro'.split(
    ' ',
  ),
)

/** The words of a name that tell it from others, in no order; all of them where it has no others. */
function tellingWords(name: string): string {
  const words = wordKey(name).split(' ')
  const telling = words.filter((word) => !fillers.has(word))
  return [...new Set(telling.length > 0 ? telling : words)].toSorted().join(' ')
}

/**
 * The name among those of stops that a text means for certain: what a person said that it means, the name itself, or the only one with the same
 * words but for such as "hotel" or "bus stop". Nothing less: a guest at the wrong stop is left behind.
 *
 * @param words Words of the file with what they mean.
 */
export function pickupNamed(
  text: string,
  names: readonly string[],
  words: Readonly<Record<string, string>> = {},
): string | undefined {
  const said = wordKey(declaredIn(words, text) ?? text)
  const exact = names.find((name) => wordKey(name) === said)
  if (exact !== undefined) return exact
  const telling = tellingWords(said)
  const alike = new Map(names.filter((name) => tellingWords(name) === telling).map((name) => [wordKey(name), name]))
  return alike.size === 1 ? [...alike.values()][0] : undefined
}

/** Share of words in common from which a place is proposed, and places that are. */
const proposedFrom = 0.4
const maxProposed = 5

/** Names that a text may mean, the likeliest first. */
export function pickupsNear(text: string, names: readonly string[]): string[] {
  const said = wordKey(text)
  return names
    .map((name) => ({
      name,
      score: Math.max(likeness(said, wordKey(name)), likeness(tellingWords(said), tellingWords(name))),
    }))
    .filter(({ score }) => score >= proposedFrom)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxProposed)
    .map(({ name }) => name)
}
