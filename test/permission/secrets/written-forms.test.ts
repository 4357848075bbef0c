import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createMasker } from '../../../src/permission/secrets/create-masker.ts';
import { writtenForms } from '../../../src/permission/secrets/written-forms.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64Url = (text: string) => Buffer.from(text).toString('base64url');
const hex = (text: string) => Buffer.from(text).toString('hex');

const token = 'q7+/"w~ü?9zK';
const mask = createMasker({ DEPLOY_TOKEN: token }).text;
const mark = '[secret:DEPLOY_TOKEN]';

// A sign of Base64 that belongs to a neighbour as well stays: it tells at most four bits.
describe('a secret is masked however it is written', () => {
  it.each([
    ['as it is', `a ${token} b`, `a ${mark} b`],
    ['in an address', `https://x/?t=${encodeURIComponent(token)}&y=1`, `https://x/?t=${mark}&y=1`],
    ['in JSON', JSON.stringify({ t: token }), `{"t":"${mark}"}`],
    ['in JSON of ASCII', '{"t": "q7+/\\"w~\\u00fc?9zK"}', `{"t": "${mark}"}`],
    ['in JSON with escaped slashes', '{"t":"q7+\\/\\"w~ü?9zK"}', `{"t":"${mark}"}`],
    ['in JSON of ASCII with escaped slashes', '{"t":"q7+\\/\\"w~\\u00fc?9zK"}', `{"t":"${mark}"}`],
    ['in hexadecimal digits', `<${hex(token)}>`, `<${mark}>`],
    ['in large hexadecimal digits', `<${hex(token).toUpperCase()}>`, `<${mark}>`],
    ['in Base64', `Basic ${base64(token)}`, `Basic ${mark}w==`],
    ['in Base64 of addresses', `Basic ${base64Url(token)}`, `Basic ${mark}w`],
    ['in Base64 behind one sign', base64(`:${token}`), `On${mark}s=`],
    ['in Base64 behind two signs', base64(`u:${token}`), `dTp${mark}`],
    ['in Base64 behind three signs', base64(`me:${token}`), `bWU6${mark}w==`],
    ['in Base64 before more', base64(`${token}, and more`), `${mark}ywgYW5kIG1vcmU=`],
  ])('%s', (_way, text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  property.prop([
    fc.string({ minLength: 10, maxLength: 40, unit: 'grapheme' }),
    fc.string({ maxLength: 7, unit: 'grapheme-ascii' }),
    fc.string({ maxLength: 7, unit: 'grapheme-ascii' }),
  ])('one of its forms is in every encoding of a text around it', (secret, before, after) => {
    const forms = writtenForms(secret);
    const whole = before + secret + after;
    for (const written of [
      whole,
      encodeURIComponent(whole),
      JSON.stringify(whole),
      hex(whole),
      base64(whole),
      base64Url(whole),
    ]) {
      expect(forms.some((form) => written.includes(form))).toBe(true);
    }
  });

  it('is masked in JSON of ASCII whatever its letters are', () => {
    for (const secret of ['pa\u0080ss/w\u20acrd-9', 'pass\u{1F511}word-99']) {
      const ascii = JSON.stringify(secret).replace(/[\u0080-\uffff]/g, (sign) => {
        const code = sign.charCodeAt(0).toString(16);
        return `\\u${'0000'.slice(code.length)}${code}`;
      });
      expect(createMasker({ DB_PASSWORD: secret }).text(ascii)).toBe('"[secret:DB_PASSWORD]"');
    }
    expect(writtenForms('del\u007f-is-ascii')).toContain('del\u007f-is-ascii');
    expect(writtenForms('del\u007f-is-ascii').join()).not.toContain('\\u007f');
  });

  it('has each form once', () => {
    expect(writtenForms('abcd1234')).toEqual([
      'abcd1234',
      '6162636431323334',
      'YWJjZDEyMz',
      'FiY2QxMjM0',
      'hYmNkMTIzN',
    ]);
  });

  it('takes half a pair of surrogates as text that cannot be written', () => {
    expect(writtenForms(`${'x'.repeat(10)}\ud800`)[1]).toBe(`${'x'.repeat(10)}%EF%BF%BD`);
  });
});
