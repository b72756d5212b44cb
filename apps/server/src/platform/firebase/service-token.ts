import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { applicationDefault } from 'firebase-admin/app'

/** Gives the bearer of the account that this program runs under; stand-ins know the server by the word `owner`, as the emulators do. */
export function serviceTokenOf({ local }: Pick<FirebaseSettings, 'local'>): () => Promise<string> {
  if (local) return async () => 'owner'
  const credential = applicationDefault()
  return async () => (await credential.getAccessToken()).access_token
}
