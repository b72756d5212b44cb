import { ofetch, type $Fetch } from 'ofetch'

/**
 * The HTTP client of the application: addresses start at the base URL of the page configuration, statuses 400 to 599 reject with a
 * `FetchError`. ofetch's own rules are those of the spec, section 7: 408, 409, 425, 429, 500, 502, 503 and 504 and network failures are
 * repeated once for safe methods and never for PATCH, POST, PUT and DELETE; `http-client.test.ts` walks the whole table.
 */
export const makeHttpClient = (baseUrl: string, fetch: typeof globalThis.fetch = globalThis.fetch): $Fetch =>
  ofetch.create({ baseURL: baseUrl, credentials: 'same-origin' }, { fetch: (input, init) => fetch(input, init) })
