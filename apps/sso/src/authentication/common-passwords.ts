// Passwords that are guessed first. A file named by a setting adds others.

/** In small letters, of at least 8 characters: shorter ones are refused anyhow. */
export const COMMON_PASSWORDS: readonly string[] = `
00000000 0123456789 09876543 0987654321 11111111 1111111111 11112222 11223344 12121212 123123123
12341234 12344321 1234512345 12345678 123456781 123456789 1234567890 12345678910 123456789a
12345abcde 1234abcd 1234qwer 147258369 159357456 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2
22222222 33333333 55555555 66666666 77777777 87654321 88888888 98765432 987654321 9876543210
99999999 a1b2c3d4 aaaaaaaa aa123456 abc12345 abc123456 abcd1234 abcdefgh abcdefghij abcdefghi
admin123 admin1234 administrator asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl azertyuiop
baseball basketball changeme changeme1 changeme123 changeit charlie1 chocolate computer
correcthorsebatterystaple default1 demo1234 dragon123 einstein football football1 geheim123
guest123 hallo123 hello123 iloveyou iloveyou1 internet letmein1 letmein123 liverpool login123
master123 michelle monkey123 motdepasse mustang1 password password! password01 password1
password12 password123 password1234 passw0rd p4ssw0rd p@ssw0rd p@ssword passwort passwort1
passwort123 pa$$w0rd princess princess1 q1w2e3r4 q1w2e3r4t5 qazwsxedc qwer1234 qwerasdf qwert123
qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop qwertz123 qwertzui qwertzuiop
secret123 starwars summer2024 summer2025 summer2026 sunshine superman support1 sunshine1 temp1234
test1234 test12345 testtest trustno1 user1234 welcome1 welcome12 welcome123 whatever willkommen
winter2024 winter2025 winter2026 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 contrasena contraseña
`
  .trim()
  .split(/\s+/);
