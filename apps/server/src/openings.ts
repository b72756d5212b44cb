import type { Config } from './config.ts'
import { callHeaderOpenings, firebaseOpenings } from './platform/firebase/firebase-openings.ts'
import { joinOpenings, type Openings } from './platform/http/openings.ts'
import { clerkOpenings } from './platform/identity/clerk/clerk-openings.ts'

/** What the configured adapters need of the browser. */
export const openingsOf = ({ identity, backend, publicUrl }: Config): Openings =>
  joinOpenings([
    identity.kind === 'clerk' ? clerkOpenings(identity.clerk, publicUrl) : {},
    backend.kind === 'own' ? callHeaderOpenings(backend.callHeaders) : firebaseOpenings(backend),
  ])
