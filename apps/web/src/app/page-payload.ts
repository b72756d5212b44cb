import { useLoaderData } from '@tanstack/react-router'
import { PagePayload } from '@tour-ops/contract/page-config'
import { makeHttpClient } from '../backend/http-client.ts'
import { readPageConfig } from '../backend/page-config.ts'

const client = makeHttpClient('/')

/** The page that the document was loaded for, for as long as no other one is loaded: its facts are those of the document. */
let documentPage: string | undefined

/**
 * What a prerendered page needs to know before anybody is signed in: whether sign-up is open, how one may sign in, the demo accounts.
 * The document that was loaded for it carries the same facts; client navigation reads the payload, so that a change of the installation
 * shows without a reload. Source: spec, section 7, "Page payload".
 */
export async function loadPagePayload(path: string): Promise<PagePayload> {
  documentPage ??= location.pathname.startsWith(path) ? path : ''
  if (path === documentPage) return { ...readPageConfig(), path }
  documentPage = ''
  return PagePayload.parse(await client(`${path}/_payload.json`))
}

/** The payload of the present page, for the components of `/sign-in`, `/sign-up` and `/waitlist`. */
export const usePagePayload = (): PagePayload => useLoaderData({ strict: false }) as PagePayload
