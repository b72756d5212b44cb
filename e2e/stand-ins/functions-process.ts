import { api, exchange } from '../../apps/server/src/firebase.ts'
import { hostFunctions } from './functions-host.ts'

// The functions of the product in a process of their own, as the hosted runtime has them.

await hostFunctions({ api, exchange }, Number(process.env['FUNCTIONS_PORT']))
console.log('Functions are ready')
