import { dutyPath } from '@tour-ops/contract/duty/duty-terms'
import { returnParameter } from '../../../addresses/navigate-to.ts'
import { paths } from '../../../addresses/paths.ts'

/** The sign-in that leads back to the phone's day. */
export const signInPath = `${paths.signIn()}?${returnParameter}=${encodeURIComponent(dutyPath)}`
