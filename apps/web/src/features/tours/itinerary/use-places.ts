import type { Tour } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import type { Point } from './itinerary-checks.ts'

export interface KnownPlace extends Point {
  readonly id: string
  readonly name: string
}

/** Names and positions of the places that an itinerary mentions. */
export interface PlaceBook {
  nameOf: (id: string) => string
  pointOf: (id: string) => Point | undefined
  /** Makes a place known that was found or made just now. */
  learn: (place: KnownPlace) => void
}

/** The places that came with the tour, and those met while editing. */
export function usePlaces(given: Tour['places']): PlaceBook {
  const [met, setMet] = useState<readonly KnownPlace[]>([])
  const find = (id: string) => met.find((place) => place.id === id) ?? given.find((place) => place.id === id)
  return {
    nameOf: (id) => find(id)?.name ?? '…',
    pointOf: find,
    learn: (place) => setMet((before) => [...before.filter((each) => each.id !== place.id), place]),
  }
}
