import { likeness, similarFrom } from './likeness.ts'
import { wordKey } from '../../platform/word-key.ts'

export interface KnownTour {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** By how much a name must be ahead of the next to be taken for that of a tour. */
const ahead = 0.1

/** Finds the tours that a file means: by code, by what a person said, by name, else by the only name that is much alike. */
export class TourMatcher {
  readonly #tours: readonly KnownTour[]
  readonly #byKey = new Map<string, KnownTour[]>()
  readonly #own = new Map<string, string>()
  readonly #found = new Map<string, readonly KnownTour[]>()

  /** @param words Words of the file with what they mean, codes of tours among them. */
  constructor(tours: readonly KnownTour[], words: Readonly<Record<string, string>>) {
    this.#tours = tours
    for (const tour of tours) {
      for (const key of new Set([wordKey(tour.code), wordKey(tour.name)])) {
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), tour])
      }
    }
    for (const [word, meaning] of Object.entries(words)) this.#own.set(wordKey(word), wordKey(meaning))
  }

  /** Several where tours have the name in common; none for a text that names no tour. */
  find(text: string): readonly KnownTour[] {
    const key = wordKey(text)
    const known = this.#found.get(key)
    if (known) return known
    const found = this.#byKey.get(this.#own.get(key) ?? key) ?? this.#similar(key)
    this.#found.set(key, found)
    return found
  }

  #similar(key: string): readonly KnownTour[] {
    const scored = this.#tours
      .map((tour) => ({ tour, score: likeness(key, wordKey(tour.name)) }))
      .filter(({ score }) => score >= similarFrom)
      .toSorted((a, b) => b.score - a.score)
    const [best, next] = scored
    if (!best) return []
    const isAlone = !next || best.score - next.score >= ahead
    return isAlone ? [best.tour] : []
  }
}
