import { dutyPath } from '@tour-ops/contract/duty/duty-terms'
import { returnParameter } from '../../../addresses/navigate-to.ts'
import { phonePaths } from '../../../addresses/phone-paths.ts'

/** The sign-in that leads back to the phone's day. */
export const signInPath = `${phonePaths.signIn()}?${returnParameter}=${encodeURIComponent(dutyPath)}`
