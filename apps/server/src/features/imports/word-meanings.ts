import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import { partsOf } from './need-cells.ts'
import { tourIn } from './tour-cells.ts'
import { TourMatcher, type KnownTour } from './tour-match.ts'
import {
  channelWords,
  countryOf,
  dietWords,
  genderWords,
  languageOf,
  meaningOf,
  roomWords,
  statusWords,
  unitWords,
} from './recognized-values.ts'
import { wordKey } from '../../platform/word-key.ts'

type Meaning = (value: string, tours: readonly KnownTour[]) => string | undefined

const meanings: Readonly<Partial<Record<ImportField, Meaning>>> = {
  unit_type: (value) => meaningOf(unitWords, value),
  status: (value) => meaningOf(statusWords, value),
  channel: (value) => meaningOf(channelWords, value),
  dietary: (value) => meaningOf(dietWords, value),
  gender: (value) => meaningOf(genderWords, value),
  room_type: (value) => meaningOf(roomWords, value),
  nationality: (value) => countryOf(value),
  language: (value) => languageOf(value),
  tour_code: (value, tours) => {
    const [tour, other] = new TourMatcher(tours, {}).find(value)
    return other ? undefined : tour?.code
  },
}

/** Longest word of a mapping. Source: contract, `ImportMapping`. */
const maxWord = 200

/**
 * The entry of `ImportMapping.words` by which a text of a column means what a person chose; undefined where words do not do that, so that the
 * cells are corrected instead.
 */
export function wordFor(
  field: ImportField | undefined,
  { was, now }: { was: string; now: string },
  tours: readonly KnownTour[],
): { word: string; meaning: string } | undefined {
  const word = field === 'tour_code' ? tourIn(was).name : was
  // signs alone have no key: all such words would be one
  const isOneWord = field !== 'dietary' || partsOf(was).length === 1
  if (field === undefined || !isOneWord || word.length > maxWord || wordKey(word) === '') return undefined
  const meaning = meanings[field]?.(now, tours)
  return meaning === undefined ? undefined : { word, meaning }
}
