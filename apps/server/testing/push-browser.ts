import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { PushNotice } from '../src/platform/channels/push-service.ts'

/** A browser that has subscribed: its keys, and how it reads what was sent to it. */
export interface TestBrowser {
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Source: RFC 8188, section 2, and RFC 8291, section 3. */
  readonly read: (body: Buffer) => PushNotice
}

export function testBrowser(): TestBrowser {
  const pair = createECDH('prime256v1')
  const own = pair.generateKeys()
  const auth = randomBytes(16)
  const derive = (key: Buffer, salt: Buffer, about: string | Buffer, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', key, salt, about, length))
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    read: (body) => {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + keyLength)
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
      const key = derive(pair.computeSecret(sender), auth, about, 32)
      const cipher = createDecipheriv(
        'aes-128-gcm',
        derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(key, salt, 'Content-Encoding: nonce\0', 12),
      )
      const record = body.subarray(21 + keyLength)
      cipher.setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
      // after the text a two, and then nothing but zeros
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')) as PushNotice
    },
  }
}

/**
 * Who sent it, as a push service finds out.
 *
 * @returns The claims, and the key that signed them. @throws where the signature is not of that key.
 */
export async function senderOf(authorization: string) {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const keys = createLocalJWKSet({ keys: [{ kty: 'EC', crv: 'P-256', x, y }] })
  const { payload } = await jwtVerify(token, keys)
  return { publicKey, claims: payload }
}
