import type { Page } from '@playwright/test'
import { createLink } from '@tour-ops/contract/links/links'
import { type Api, apiAs } from '../../api.ts'
import { openCheckIn } from '../../duty-steps.ts'
import { book, type JourneyTour, makeBoarding } from '../../operations.ts'

interface Options {
  readonly capacity?: number
  /** Where the phone finds the server, if it is not the usual one. */
  readonly base?: string
  /** Who prepares it: an administrator of the demonstration unless given. */
  readonly by?: Api
}

/** A departure that boards with its guests, and the link of its run sheet for a freelancer without an account. */
export async function boardingWithLink(
  tour: JourneyTour,
  parties: readonly (readonly string[])[],
  { capacity = 20, by }: Options = {},
) {
  const api = by ?? (await apiAs('admin'))
  const departure = await makeBoarding(tour, capacity, api)
  for (const names of parties) await book(departure.id, names, {}, api)
  const link = await api.call(createLink, {
    kind: 'staff_runsheet',
    subjectId: departure.id,
    label: 'Freelancer',
    scopes: { checkin: true },
  })
  return { api, departure, link }
}

/** The same, and the freelancer's phone on the check-in. */
export async function openByLink(
  page: Page,
  tour: JourneyTour,
  parties: readonly (readonly string[])[],
  options: Options = {},
) {
  const made = await boardingWithLink(tour, parties, options)
  await openCheckIn(page, `${options.base ?? ''}/duty#link=${made.link.token}`)
  return made
}
