import { useLoaderData } from '@tanstack/react-router'
import { PagePayload } from '@tour-ops/contract/page-config'
import { makeHttpClient } from '../backend/http-client.ts'
import { readPageConfig } from '../backend/page-config.ts'

const client = makeHttpClient('/')

let isFirstPage = true

/**
 * What a prerendered page needs to know before anybody is signed in: whether sign-up is open, how one may sign in, the demo accounts.
 * The document that was loaded for it carries the same facts; client navigation reads the payload, so that a change of the installation
 * shows without a reload. Source: spec, section 7, "Page payload".
 */
export async function loadPagePayload(path: string): Promise<PagePayload> {
  const isInDocument = isFirstPage && location.pathname.startsWith(path)
  isFirstPage = false
  if (isInDocument) return { ...readPageConfig(), path }
  return PagePayload.parse(await client(`${path}/_payload.json`))
}

/** The payload of the present page, for the components of `/sign-in`, `/sign-up` and `/waitlist`. */
export const usePagePayload = (): PagePayload => useLoaderData({ strict: false }) as PagePayload
