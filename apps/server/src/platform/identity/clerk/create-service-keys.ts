import { ClerkApi } from './clerk-api.ts'
import { createServiceKeys } from './service-keys.ts'

// The program: makes the product's roles and permissions at the hosted identity service. See docs/hosted.md.

const secretKey = process.env['CLERK_SECRET_KEY']
if (!secretKey) {
  console.error('Set CLERK_SECRET_KEY to the secret key of the instance.')
  process.exit(1)
}
const apiUrl = process.env['CLERK_API_URL'] ?? 'https://api.clerk.com'
try {
  for (const line of await createServiceKeys(new ClerkApi({ apiUrl, secretKey }))) console.log(line)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
