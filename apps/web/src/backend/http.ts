import type { PageConfig } from '@tour-ops/contract/page-config'
import { AppError } from '@tour-ops/contract/errors'
import { makeCallableClient } from './callable-client.ts'
import type { DocumentsHttp } from './documents-http.ts'
import type { TokenSource } from './documents-wire.ts'
import type { FileStore } from './files-port.ts'
import { makeHttpClient } from './http-client.ts'
import type { Backend } from './port.ts'
import { TokenKeeper } from './token-keeper.ts'

export interface HttpBackendParts {
  readonly config: Pick<PageConfig, 'baseUrl'>
  /** Makes the live documents over the token of this backend. */
  documents(token: TokenSource): DocumentsHttp
  files(token: TokenSource): Promise<FileStore>
  /** The backend no longer renews the token, or requires a second factor: the session should be checked. */
  onRefused?: () => void
  /** Sends requests, with the headers that they all carry. */
  fetch: typeof globalThis.fetch
}

/** The backend behind our own server. */
export function makeHttpBackend(parts: HttpBackendParts): Backend & { readonly documents: DocumentsHttp } {
  const http = makeHttpClient(parts.config.baseUrl, parts.fetch)
  const keeper = new TokenKeeper(http, parts.onRefused ? { onRefused: parts.onRefused } : {})
  const call = makeCallableClient(http, (renew) => keeper.token(renew))
  const token: TokenSource = async (renew) => {
    const bearer = await keeper.token(renew)
    if (!bearer) throw new AppError('unauthenticated', 'Sign in to go on.')
    return bearer
  }
  return {
    signIn: (identityToken) => keeper.signIn(identityToken),
    signOut: () => keeper.signOut(),
    async call(callable, input, options) {
      try {
        return await call(callable, input, options)
      } catch (error) {
        if (AppError.from(error).details.reason === 'second_factor_required') parts.onRefused?.()
        throw error
      }
    },
    documents: parts.documents(token),
    files: () => parts.files(token),
    // Our own server counts requests itself (/metrics).
    analytics: null,
  }
}
