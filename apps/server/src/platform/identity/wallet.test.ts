import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expect, test } from 'vitest'
import { addressOf, isSignedBy, newNonce, pageOfMessage, personalMessageHash } from './wallet.ts'

const key = Uint8Array.from({ length: 32 }, (_, index) => index + 1)
const address = addressOf(secp256k1.getPublicKey(key, false))

function sign(message: string): string {
  const signature = secp256k1.sign(personalMessageHash(message), key, { prehash: false, format: 'recovered' })
  return `0x${Buffer.from([...signature.slice(1), 27 + (signature[0] ?? 0)]).toString('hex')}`
}

test('a message signed by the key of an address is accepted, in any letter case of the address', () => {
  const signature = sign('hello ñ')
  expect(isSignedBy('hello ñ', signature, address)).toBe(true)
  expect(isSignedBy('hello ñ', signature, address.toUpperCase().replace('0X', '0x'))).toBe(true)
})

test('another message, another address and a broken signature are refused without an error', () => {
  expect(isSignedBy('hello', sign('hallo'), address)).toBe(false)
  expect(isSignedBy('hello', sign('hello'), `0x${'1'.repeat(40)}`)).toBe(false)
  for (const broken of ['', '0x', '0x12', 'nothing', sign('hello').slice(0, -2), `${sign('hello').slice(0, -2)}ff`]) {
    expect(isSignedBy('hello', broken, address)).toBe(false)
  }
})

test('the known address of a known key comes out, as every wallet shows it', () => {
  const wellKnown = Buffer.from('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318', 'hex')
  expect(addressOf(secp256k1.getPublicKey(wellKnown, false))).toBe('0x2c7536e3605d9c16a7a3d7b1898e529396a65c23')
})

test('nonces are long enough, alphanumeric and differ', () => {
  expect(newNonce()).toMatch(/^[a-z0-9]{24}$/)
  expect(newNonce()).not.toBe(newNonce())
})

test('a message names one page; two, none, or one with a password in it are none', () => {
  const message = (...lines: string[]) => ['a.example wants you to sign in', '', ...lines, 'Version: 1'].join('\n')
  expect(pageOfMessage(message('URI: https://a.example/sign-in?x=1'))).toBe('https://a.example')
  expect(pageOfMessage(message('URI: https://a.example', 'URI: https://b.example'))).toBeNull()
  expect(pageOfMessage(message('URI: a.example'))).toBeNull()
  expect(pageOfMessage(message('URI: https://a.example@b.example'))).toBeNull()
  expect(pageOfMessage(message('Resources: https://a.example'))).toBeNull()
})
