/** Size of a script as the server sends it to a browser, with brotli; bytes. */
export async function scriptBytes(url: string): Promise<number> {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
  const bytes = Number(headers.get('content-length'))
  // what is tiny goes out as it is
  if (headers.get('content-encoding') === 'br' || bytes < 2_000) return bytes
  throw new Error(`${url} is not sent with brotli`)
}
