import { PageConfig } from '@tour-ops/contract/page-config'

/**
 * The data block that the server puts into every document; data, never code. Source: spec, section 7, "base URL from injected page config".
 *
 * @throws Error when the document carries none or one of another shape: it was not served by our server.
 */
export function readPageConfig(from: Document = document): PageConfig {
  const text = from.getElementById('page-config')?.textContent
  if (!text)
    throw new Error('This document carries no page configuration; it must be served by the application server.')
  return PageConfig.parse(JSON.parse(text))
}
