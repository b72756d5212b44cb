import { createRequire } from 'node:module'
import { api } from '../../apps/server/src/firebase.ts'
import { hostFunctions, type HostedFunction } from './functions-host.ts'

// The functions of the product in a process of their own, as the hosted runtime has them: `api` of the one deployment, and all of the
// other, which has each callable under its own name.

/** As the deployment loads it. */
const named = createRequire(import.meta.url)('../../apps/server/src/firebase-named.cjs') as Record<
  string,
  HostedFunction
>
await hostFunctions({ ...named, api }, Number(process.env['FUNCTIONS_PORT']))
console.log('Functions are ready')
