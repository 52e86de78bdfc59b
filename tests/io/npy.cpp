// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <upsweep/io/npy.hpp>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {

using upsweep_test::temporary_folder;

TEST(npy, header_as_num_py_writes_it) {
  auto const header = upsweep::npy_header("<i8", {5});
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\1\0", 8));
  EXPECT_EQ(header.substr(10, 59), "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }  ");
  EXPECT_EQ(header.back(), '\n');
  EXPECT_NE(upsweep::npy_header("|i1", {7, 3}).find("'shape': (7, 3), }"), std::string::npos);
  EXPECT_NE(upsweep::npy_header("<f8", {}).find("'shape': (), }"), std::string::npos);
}

TEST(npy, long_shapes_need_version_2) {
  auto const header = upsweep::npy_header("<i8", std::vector<std::uint64_t>(30000, 1));
  EXPECT_EQ(header[6], 2);
  EXPECT_EQ(header.size() % 64, 0u);
}

TEST(npy, types) {
  EXPECT_EQ(upsweep::npy_descr<std::int64_t>(), "<i8");
  EXPECT_EQ(upsweep::npy_descr<std::int8_t>(), "|i1");
  EXPECT_EQ(upsweep::npy_descr<double>(), "<f8");
  EXPECT_EQ(upsweep::npy_descr<std::uint32_t>(), "<u4");
  EXPECT_EQ(upsweep::npy_descr<bool>(), "|b1");
}

TEST(npy, round_trip) {
  temporary_folder folder;
  std::vector<double> const values{1, 2, 3, 4, 5, 6};
  upsweep::write_npy(folder / "x.npy", std::span(values), {2, 3});
  auto const array = upsweep::read_npy(folder / "x.npy");
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(array.as<double>(), values);
  EXPECT_THROW(array.as<float>(), upsweep::input_error);
  upsweep::write_npy(folder / "x.npy", std::span(values).first(0), {0, 3});
  EXPECT_TRUE(upsweep::read_npy(folder / "x.npy").as<double>().empty());
  EXPECT_THROW(upsweep::write_npy(folder / "x.npy", std::span(values), {5}), upsweep::precondition_error);
}

TEST(npy, bad_files) {
  temporary_folder folder;
  auto const path = folder / "x.npy";
  EXPECT_THROW(upsweep::read_npy(path), upsweep::input_error);
  std::vector<std::int64_t> const values{1, 2, 3};
  upsweep::write_npy(path, std::span(values), {3});
  auto const good = upsweep_test::file_contents(path);
  for (std::size_t n = 0; n < good.size(); n += 3) {
    upsweep_test::write_file(path, good.substr(0, n));
    EXPECT_THROW(upsweep::read_npy(path), upsweep::input_error) << n;
  }
  for (auto const& [from, to] : {std::pair<std::string, std::string>{"False", "Maybe"},
                                 {"(3,)", "(4,)"},
                                 {"descr", "dascr"},
                                 {"<i8", "|O8"},
                                 {"<i8", "<U2"},
                                 {"<i8", "xi8"},
                                 {"(3,)", "(-1)"},
                                 {"NUMPY", "NUMPI"},
                                 {"(3,)", "(3x)"},
                                 {"}  ", "} x"},
                                 {"'shape': (3,), }", "               }"},
                                 {"'fortran_order': False,", "                       "},
                                 {"'fortran_order': False,", "'shape': (3,),         "},
                                 {"False,", "False "}}) {
    auto bad = good;
    bad.replace(bad.find(from), from.size(), to);
    upsweep_test::write_file(path, bad);
    EXPECT_THROW(upsweep::read_npy(path), upsweep::input_error) << to;
  }
  auto huge = upsweep::npy_header("<i8", {std::uint64_t(1) << 62, 8});
  upsweep_test::write_file(path, huge);
  EXPECT_THROW(upsweep::read_npy(path), upsweep::input_error);
}

TEST(npy, arrays_in_fortran_order_are_brought_into_c_order) {
  upsweep_test::temporary_folder folder;
  auto const path = folder / "f.npy";
  // numpy.save("f.npy", numpy.asfortranarray(numpy.arange(24, dtype="i4").reshape(2, 3, 4)))
  std::vector<std::int32_t> in_file;
  for (std::int32_t k = 0; k < 4; ++k)
    for (std::int32_t j = 0; j < 3; ++j)
      for (std::int32_t i = 0; i < 2; ++i) in_file.push_back(12 * i + 4 * j + k);
  auto const write = [&](std::vector<std::uint64_t> const& shape, std::size_t values) {
    auto header = upsweep::npy_header("<i4", shape);
    header.replace(header.find("False"), 5, "True ");
    upsweep_test::write_file(path, header + std::string(reinterpret_cast<char const*>(in_file.data()), 4 * values));
    return upsweep::read_npy(path).as<std::int32_t>();
  };
  std::vector<std::int32_t> in_order(24);
  std::iota(in_order.begin(), in_order.end(), 0);
  EXPECT_EQ(write({2, 3, 4}, 24), in_order);
  in_file = {0, 3, 1, 4, 2, 5};
  EXPECT_EQ(write({2, 3}, 6), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(write({6}, 6), in_file);
  EXPECT_EQ(write({0, 3}, 0), std::vector<std::int32_t>{});
}

TEST(npy, numbers_in_the_other_order_of_bytes_are_converted) {
  upsweep_test::temporary_folder folder;
  auto const path = folder / "big.npy";
  auto const write = [&](std::string const& descr, std::string const& bytes) {
    upsweep_test::write_file(path, upsweep::npy_header(descr, {2}) + bytes);
    return upsweep::read_npy(path);
  };
  // numpy.array([1, -2.5], ">f8").tobytes() and so on
  std::string const doubles("\x3f\xf0\0\0\0\0\0\0\xc0\x04\0\0\0\0\0\0", 16);
  EXPECT_EQ(write(">f8", doubles).as<double>(), (std::vector<double>{1, -2.5}));
  EXPECT_EQ(write(">f8", doubles).descr, "<f8");
  EXPECT_EQ(write(">f4", std::string("\x3f\x80\0\0\xc0\x20\0\0", 8)).as<float>(), (std::vector<float>{1, -2.5f}));
  EXPECT_EQ(write(">u2", std::string("\1\2\xff\xfe", 4)).as<std::uint16_t>(),
            (std::vector<std::uint16_t>{0x0102, 0xfffe}));
  auto const complex = write(">c16", doubles + doubles);
  EXPECT_EQ(complex.descr, "<c16");
  EXPECT_EQ(std::memcmp(complex.bytes.data(), std::vector<double>{1, -2.5, 1, -2.5}.data(), 32), 0);
  // No number that NumPy knows, and still no harm.
  EXPECT_EQ(write(">c1", "ab").bytes.size(), 2u);
  EXPECT_EQ(write(">c5", "abcdefghij").bytes.size(), 10u);
  // Fortran order, too: the columns 0, 1, 2 and 3, 4, 5 of numpy.asfortranarray(..., ">i2").
  auto header = upsweep::npy_header(">i2", {3, 2});
  header.replace(header.find("False"), 5, "True ");
  upsweep_test::write_file(path, header + std::string("\0\0\0\1\0\2\0\3\0\4\0\5", 12));
  EXPECT_EQ(upsweep::read_npy(path).as<std::int16_t>(), (std::vector<std::int16_t>{0, 3, 1, 4, 2, 5}));
}

TEST(npy, headers_may_be_longer) {
  auto const header = upsweep::npy_header("<i8", {3}, 1024);
  EXPECT_EQ(header.size(), 1024u);
  EXPECT_EQ(upsweep::npy_header("<i8", {3}, 1).size(), 128u);
  EXPECT_EQ(upsweep::npy_header("<i8", {3}, 129).size(), 192u);
  EXPECT_EQ(upsweep::npy_header("<i8", {3}, 70000)[6], '\2') << "format 2.0";
  upsweep_test::temporary_folder folder;
  upsweep_test::write_file(folder / "long.npy", header + std::string(24, '\1'));
  EXPECT_EQ(upsweep::read_npy(folder / "long.npy").as<std::int64_t>().size(), 3u);
  upsweep_test::write_file(folder / "long.npy", upsweep::npy_header("<i8", {3}, 70000) + std::string(24, '\1'));
  EXPECT_EQ(upsweep::read_npy(folder / "long.npy").as<std::int64_t>().size(), 3u);
}

TEST(npy, messages_quote_a_file_without_its_control_characters) {
  upsweep_test::temporary_folder folder;
  auto const message = [&](std::string const& header) {
    auto const path = folder / "hostile\x1b.npy";
    auto bytes = std::string("\x93NUMPY\1") + '\0' + static_cast<char>(header.size() & 255) +
                 static_cast<char>(header.size() >> 8) + header;
    upsweep_test::write_file(path, bytes);
    try {
      upsweep::read_npy(path);
    } catch (upsweep::input_error const& e) {
      return std::string(e.what()).substr(folder.path().string().size() + 1);
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("{'\x1b[2J\a': 1}"), "hostile?.npy: header key '?[2J?' (expected descr, fortran_order and shape)");
  EXPECT_EQ(message("{'" + std::string(60000, 'k') + "': 1}"),
            "hostile?.npy: header key '" + std::string(40, 'k') + "...' (expected descr, fortran_order and shape)");
  EXPECT_EQ(message("{'descr': '\x1b]0;title\a', 'fortran_order': False, 'shape': ()}"),
            "hostile?.npy: holds '?]0;title?' (expected plain numbers)");
}

}  // namespace
