import { beforeAuthStateChanged, onIdTokenChanged, type Auth, type User } from 'firebase/auth'
import { tokenSyncMaxAgeMs } from '../constants.ts'

/**
 * Sends the backend token to a path of the installation, so that its server knows the person as well: POST with the token as bearer at
 * sign-in and at every renewal, DELETE at sign-out. A sign-in waits for the answer and fails when the path cannot be reached; what it
 * answers is not read. Why this is not the library's: `docs/decisions/0009-the-token-sync-is-ours.md`.
 *
 * @see Spec, section 7, "Token sync".
 */
export function syncToken(auth: Auth, path: string): void {
  let told: string | undefined
  const tell = async (user: User | null): Promise<void> => {
    const result = await user?.getIdTokenResult()
    // an older one was reported when it was new
    if (result && Date.now() - Date.parse(result.issuedAtTime) > tokenSyncMaxAgeMs) return
    const token = result?.token
    if (token === told) return
    told = token
    await fetch(path, token ? { method: 'POST', headers: { authorization: `Bearer ${token}` } } : { method: 'DELETE' })
  }
  const notifyQuietly = (user: User | null): void =>
    void tell(user).catch((error: unknown) => console.warn('The backend token could not be told.', error))
  beforeAuthStateChanged(auth, tell, () => notifyQuietly(auth.currentUser))
  onIdTokenChanged(auth, notifyQuietly)
}
